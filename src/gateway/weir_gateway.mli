(** A gateway in user space. One of Weir's hosts stands for every address behind it; what is sent
    there is carried on by ordinary sockets of another network, such as the kernel's. It makes a
    transparent proxy, the exit of a VPN, or a network for one program.

    - {b TCP}: a SYN is answered when the connection on the other side stands. If that fails, the
      client gets the same error: a RST, or an ICMP error for an unreachable network or host or a
      prohibition; if it times out, the SYN is not answered. The end of each direction and resets
      are carried over both ways.
    - {b UDP}: each pair of addresses and ports has an outer socket of its own, until nothing has
      passed for a while (RFC 4787 §4.3). Memory is that of the datagrams that wait. With
      [datagrams], errors are carried over too.
    - {b ICMP}: with [ping], echo requests are repeated outside, and answered when that is.

    {[
    let proxy env ~sw link =
      let clock = Eio.Stdenv.mono_clock env in
      let host = Weir_eio.host ~sw ~clock ~link ~address:"10.0.2.2/24" () in
      Weir_gateway.run ~clock ~net:(Eio.Stdenv.net env) host
    ]}

    Not supported: urgent data, ICMP other than echo and errors. *)

module Outside = Outside

type protocol = Tcp | Udp | Icmp

type reason = Weir_core.Icmp_error.reason =
  | Network
  | Host
  | Port
  | Prohibited
  | Code of int  (** See {!Weir_core.Icmp_error.reason}. *)

type service = {
  stream : [ `Generic | `Unix ] Eio.Net.stream_socket_ty Eio.Resource.t -> unit;
      (** serves a connection, which is closed afterwards *)
  datagram : Bytes.t -> Bytes.t option;  (** the answer to a datagram; it may wait *)
}
(** A server in this process. It may raise [Eio.Io] and [End_of_file]. *)

type decision =
  | To of Ipaddr.t * int  (** carry it on to that address and port *)
  | Refuse  (** TCP: a RST. UDP: port unreachable. ICMP: prohibited *)
  | Drop  (** no answer *)
  | Unreachable_for of reason  (** an ICMP error *)
  | Serve of service  (** an echo request is answered at once *)

(** How a connection, or the datagrams of a pair, ended. *)
type ending =
  | Closed  (** both sides have closed it; UDP: nothing passed for a while *)
  | Reset_by_client
  | Reset_by_server
  | Refused  (** by the server *)
  | Unreachable of string
  | Timed_out  (** no answer to the attempt to connect *)
  | Denied  (** by a {!type-decision} *)
  | Abandoned  (** the client gave up before the connection stood *)
  | Limited  (** by a {!type-limit} *)
  | Stopped  (** the gateway ended before the client closed it *)

type limit = Relay.limit = {
  bytes : int;  (** so many pass *)
  counted : [ `Sent | `Received | `Both ];  (** in which direction, seen from the client *)
  then_ : [ `Reset | `Stall ];
      (** both sides are reset; or nothing passes any more, until the client ends *)
}
(** A fault of one connection. *)

type kernel = Relay.kernel = { rtt_ns : int;  (** smoothed *) retransmitted : int  (** segments *) }
(** What the kernel knows of its connection (TCP_INFO of tcp(7)). *)

type info = {
  client : Weir_flow.Flow.tcp_info;  (** of the connection to the client *)
  server : kernel option;  (** of that to the server, if it is the kernel's *)
}

type record = private {
  protocol : protocol;
  number : int;  (** from 0 in order of beginning *)
  source : Ipaddr.t * int;
  destination : Ipaddr.t * int;
  began_ns : int64;  (** by [clock] *)
  mutable connected_ns : int64;  (** when the connection stood; -1 if it never did *)
  mutable ended_ns : int64;  (** -1 while it lasts *)
  mutable client_closed : bool;  (** all that the client will ever send was passed on *)
  mutable sent : int;  (** bytes from the client to the server *)
  mutable received : int;
  mutable ending : ending option;
  mutable info : unit -> info option;
      (** what is known now of a TCP connection that stands or stood *)
}

type inward
(** The way in, for connections and datagrams from outside to a host behind the gateway. *)

val stream_in :
  inward -> source:Ipaddr.t * int -> destination:Ipaddr.t * int -> _ Eio.Net.stream_socket -> unit
(** [stream_in i ~source ~destination outer] connects to [destination], a host behind the gateway,
    as if from [source], carries [outer] on over that connection, and returns when both have ended.
    [outer] is reset if there is no connection, or there are too many. If [source]'s port is taken,
    another is used. *)

val datagrams_in :
  inward -> source:Ipaddr.t * int -> destination:Ipaddr.t * int -> Outside.datagrams -> unit
(** [datagrams_in i ~source ~destination outer] carries datagrams on in the same way, and returns
    when nothing has passed for a while, or at once if there is such a pair. *)

val run :
  clock:_ Eio.Time.Mono.t ->
  net:_ Eio.Net.t ->
  ?decide:(protocol -> Ipaddr.t * int -> decision) ->
  ?began:(record -> unit) ->
  ?ended:(record -> unit) ->
  ?limit:(record -> limit option) ->
  ?connect_timeout_ns:int ->
  ?idle_ns:(int -> int) ->
  ?max_connections:int ->
  ?max_flows:int ->
  ?datagrams:(sw:Eio.Switch.t -> Ipaddr.t * int -> Outside.datagrams) ->
  ?ping:(Ipaddr.t -> sequence:int -> string -> string option) ->
  ?started:(inward -> unit) ->
  Weir_eio.Host.t ->
  unit
(** [run ~clock ~net host] serves until it is cancelled. [decide p destination] is asked for each
    connection, each pair and each echo request (whose port is 0), by default [To] the destination
    itself; it may wait. [datagrams] makes the outer sockets of UDP, by default {!Outside.of_net};
    {!Outside.datagrams} is for the kernel's network. [ping a ~sequence data] repeats an echo
    request: {!Outside.ping} for the kernel's; without it [host] answers them itself. [started i] is
    called once [host] stands for others; it must not wait. [began] and [ended] are called once for
    each. [limit r] is asked when a connection stands. An attempt to connect takes at most
    [connect_timeout_ns] (2 minutes). [idle_ns port] is the silence that ends a pair with that
    destination port: by default 10 s for port 53, and 2 minutes. At most [max_connections]
    (10,000), [max_flows] (1,024) and 256 echo requests are carried at a time; beyond that SYNs and
    echo requests are dropped, and the pair that was silent for longest ends.
    @raise Invalid_argument as {!Weir_eio.Interception.start}. *)

val pp_ending : Format.formatter -> ending -> unit
