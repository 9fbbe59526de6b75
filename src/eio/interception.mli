(** Connections, datagrams and echo requests for addresses that are not the host's own: the host
    stands for them, as a gateway or a transparent proxy does. See {!Weir_core.Tcp.intercept},
    {!Weir_core.Udp_sockets.intercept} and {!Weir_core.Stack.set_echo}. *)

type t

val start : Host.t -> sw:Eio.Switch.t -> ?backlog:int -> ?flows:int -> ?echo:bool -> unit -> t
(** [start host ~sw ()] makes [host] accept packets for every address
    ({!Weir_core.Stack.set_transparent}) until [sw] ends. At most [backlog] (default 1,024)
    connections wait for their user's decision, and at most [flows] (default 1,024) sockets for
    datagrams are open; packets for more of them are dropped and counted. With [echo] (default
    false) echo requests wait for {!next_echo}, at most 256; without, [host] answers them all
    itself.
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
(** [refuse r] answers with a RST. It does nothing after another decision, like {!drop} and
    {!unreachable}. *)

val drop : request -> unit
(** [drop r] does not answer. *)

val unreachable : request -> Weir_core.Icmp_error.reason -> unit
(** [unreachable r reason] answers with an ICMP error, by which the peer's attempt to connect fails
    at once. *)

val connect : t -> sw:Eio.Switch.t -> source:Ipaddr.t * int -> Ipaddr.t * int -> Connection.t
(** [connect t ~sw ~source destination] connects to a host behind [t] as if from [source], which may
    be any address of the same family. Releasing [sw] closes the connection.
    @raise Eio.Io as {!Network.connect}. *)

(** {1 Datagrams} *)

type flow
(** The datagrams of one pair of addresses and ports. *)

val next_flow : t -> sw:Eio.Switch.t -> flow
(** [next_flow t ~sw] waits for a pair's first datagram. Releasing [sw] closes the flow. *)

val open_flow : t -> sw:Eio.Switch.t -> source:Ipaddr.t * int -> Ipaddr.t * int -> flow option
(** [open_flow t ~sw ~source peer] is a flow whose datagrams go to [peer], a host behind [t], as if
    from [source]. [None] if there is one, or there are too many. *)

val flow_source : flow -> Ipaddr.t * int
(** [flow_source f] is the host behind [t]. *)

val flow_destination : flow -> Ipaddr.t * int
(** [flow_destination f] is whom [t] stands for. *)

val receive : flow -> Bytes.t
(** [receive f] waits for a datagram from the source. The bytes are the caller's.
    @raise Eio.Io (ECONNABORTED) when [f] is closed. *)

val send : flow -> Bytes.t -> unit
(** [send f data] sends a datagram to the source, from the destination's address. It is lost if
    there is no room. *)

val report : flow -> Weir_core.Icmp_error.reason -> unit
(** [report f reason] tells the source by an ICMP error that the destination is unreachable. *)

(** {1 Echo requests} *)

type echo
(** An ICMP echo request. Nothing happens if it is not answered. *)

val next_echo : t -> echo
val echo_source : echo -> Ipaddr.t
val echo_destination : echo -> Ipaddr.t
val echo_request : echo -> Weir_core.Stack.echo

val reply : ?data:string -> echo -> unit
(** [reply e] answers [e]. [data] is by default that of the request. *)

val echo_unreachable : echo -> Weir_core.Icmp_error.reason -> unit
(** [echo_unreachable e reason] answers with an ICMP error. *)
