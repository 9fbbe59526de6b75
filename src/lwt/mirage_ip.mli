(** A host's IP with the signature [Tcpip.Ip.S] (tcpip 9), for IPv4 and IPv6. Mirage is not needed.
*)

type t = Host.t

type error = [ `No_route of string | `Would_fragment | `Failed of Error.t ]
(** [`No_route] holds the destination. *)

val pp_error : error Fmt.t

type ipaddr = Ipaddr.t

val pp_ipaddr : ipaddr Fmt.t

type prefix = Ipaddr.Prefix.t

val pp_prefix : prefix Fmt.t

type callback = src:ipaddr -> dst:ipaddr -> Cstruct.t -> unit Lwt.t

val input :
  t -> tcp:callback -> udp:callback -> default:(proto:int -> callback) -> Cstruct.t -> unit Lwt.t
(** [input] is rejected with [Invalid_argument]: packets come from the host's own link. *)

val write :
  t ->
  ?fragment:bool ->
  ?ttl:int ->
  ?src:ipaddr ->
  ipaddr ->
  [ `TCP | `UDP | `ICMP ] ->
  ?size:int ->
  (Cstruct.t -> int) ->
  Cstruct.t list ->
  (unit, error) result Lwt.t
(** [write t dst protocol ~size header payload] sends one packet. [header b] writes into [b], a
    buffer of [size] bytes (default 0), and returns how many of them to send; [payload] follows. The
    host itself handles answers to the packet. With [~fragment:false] routers must not fragment the
    packet, and the result is [`Would_fragment] if it is longer than the path's MTU, as far as it is
    known. [src] must be {!src}[ ~dst].
    @raise Invalid_argument unless [ttl] is 1 to 255 and [header b] is 0 to [size]. *)

val pseudoheader : t -> ?src:ipaddr -> ipaddr -> [ `TCP | `UDP | `ICMP ] -> int -> Cstruct.t
(** [pseudoheader t dst protocol length] is the pseudo-header of a transport checksum: 12 bytes for
    IPv4 (RFC 9293 §3.1), 40 for IPv6 (RFC 8200 §8.1).
    @raise Invalid_argument if the addresses are of different families. *)

val src : t -> dst:ipaddr -> ipaddr
(** [src t ~dst] is the source address of packets to [dst], or [::] if there is none. *)

val get_ip : t -> ipaddr list
(** [get_ip t] is the addresses of the first interface. *)

val configured_ips : t -> prefix list
(** [configured_ips t] is the same addresses, each with its network. *)

val mtu : t -> dst:ipaddr -> int
(** [mtu t ~dst] is the longest payload to [dst]: the path's MTU, as far as it is known, less the
    header. *)

val disconnect : t -> unit Lwt.t
(** [disconnect t] does nothing: see {!Mirage_stack.disconnect}. *)
