(** Connections and datagrams for addresses that are not the host's own: the host stands for them,
    as a gateway or a transparent proxy does. See {!Weir_core.Tcp.intercept} and
    {!Weir_core.Udp_sockets.intercept}. *)

type t

val start : Host.t -> sw:Eio.Switch.t -> ?backlog:int -> ?flows:int -> unit -> t
(** [start host ~sw ()] makes [host] accept packets for every address
    ({!Weir_core.Stack.set_transparent}) until [sw] ends. At most [backlog] (default 1,024)
    connections wait for their user's decision, and at most [flows] (default 1,024) sockets for
    datagrams are open; packets for more of them are dropped and counted.
    @raise Invalid_argument if [host] intercepts already, or a bound is below 1. *)

(** {1 Connections} *)

type request
(** A peer's SYN that has not been answered yet. *)

val next_request : t -> request
(** [next_request t] waits for a SYN. *)

val source : request -> Ipaddr.t * int
val destination : request -> Ipaddr.t * int

val is_waiting : request -> bool
(** [is_waiting r] is true until a decision, or until the peer has given up. *)

val accept : request -> sw:Eio.Switch.t -> Connection.t
(** [accept r ~sw] completes the handshake. Releasing [sw] closes the connection.
    @raise Eio.Io
      with [Connection_failure] if the peer gave up or does not complete it, and ECONNABORTED in
      place of a second decision. *)

val refuse : request -> unit
(** [refuse r] answers with a RST. It does nothing after another decision, like {!drop}. *)

val drop : request -> unit
(** [drop r] does not answer. *)

(** {1 Datagrams} *)

type flow
(** The datagrams of one pair of addresses and ports. *)

val next_flow : t -> sw:Eio.Switch.t -> flow
(** [next_flow t ~sw] waits for a pair's first datagram. Releasing [sw] closes the flow. *)

val flow_source : flow -> Ipaddr.t * int
val flow_destination : flow -> Ipaddr.t * int

val socket : flow -> [ `Generic | `Unix ] Eio.Net.datagram_socket_ty Eio.Resource.t
(** [socket f] receives the source's datagrams, and sends to it from the destination's address. *)
