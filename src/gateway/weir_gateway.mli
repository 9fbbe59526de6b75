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
module Record = Record
module Decision = Decision

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
  ?decide:(Record.protocol -> Ipaddr.t * int -> Decision.t) ->
  ?began:(Record.t -> unit) ->
  ?ended:(Record.t -> unit) ->
  ?limit:(Record.t -> Decision.limit option) ->
  ?connect_timeout_ns:int ->
  ?idle_ns:(int -> int) ->
  ?max_connections:int ->
  ?max_flows:int ->
  ?datagrams:(sw:Eio.Switch.t -> Ipaddr.t * int -> Outside.datagrams) ->
  ?ping:(Ipaddr.t -> sequence:int -> string -> string option) ->
  ?numbers:(unit -> int) ->
  ?started:(inward -> unit) ->
  Weir_eio.Host.t ->
  unit
(** [run ~clock ~net host] serves until it is cancelled. [decide p destination] is asked for each
    connection, each pair and each echo request (whose port is 0), by default [To] the destination
    itself; it may wait. [datagrams] makes the outer sockets of UDP, by default {!Outside.of_net};
    {!Outside.datagrams} is for the kernel's network. [ping a ~sequence data] repeats an echo
    request: {!Outside.ping} for the kernel's; without it [host] answers them itself. [started i] is
    called once [host] stands for others; it must not wait. [began] and [ended] are called once for
    each record; [numbers] gives it its number (0, 1, …). [limit r] is asked when a connection
    stands. An attempt to connect takes at most [connect_timeout_ns] (2 minutes). [idle_ns port] is
    the silence that ends a pair with that destination port: by default 10 s for port 53, and 2
    minutes. At most [max_connections] (10,000), [max_flows] (1,024) and 256 echo requests are
    carried at a time; beyond that SYNs and echo requests are dropped, and the pair that was silent
    for longest ends.
    @raise Invalid_argument as {!Weir_eio.Interception.start}. *)
