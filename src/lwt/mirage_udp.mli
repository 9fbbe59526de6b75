(** A host's UDP with the signature [Tcpip.Udp.S] (tcpip 9), for IPv4 and IPv6. Mirage is not
    needed. *)

type t

val of_host : Host.t -> t

type error = Error.t

val pp_error : error Fmt.t

type ipaddr = Ipaddr.t
type callback = src:ipaddr -> dst:ipaddr -> src_port:int -> Cstruct.t -> unit Lwt.t

val listen : t -> port:int -> callback -> unit
(** [listen t ~port f] runs [f ~src ~dst ~src_port data] for each datagram to [port], in a thread of
    its own, never within the call that sends the datagram. [dst] is the host's own address, or a
    broadcast address. At most 1,000 of these threads run at a time; more datagrams wait in the
    socket's queue, which is bounded. Another [listen] at [port] replaces [f]. Exceptions of [f] go
    to {!Lwt.async_exception_hook}.
    @raise Invalid_argument unless [port] is 1 to 65,535.
    @raise Error.Error if the port is in use, or the host is closed. *)

val unlisten : t -> port:int -> unit

val write :
  ?src:ipaddr ->
  ?src_port:int ->
  ?ttl:int ->
  dst:ipaddr ->
  dst_port:int ->
  t ->
  Cstruct.t ->
  (unit, error) result Lwt.t
(** [write ~dst ~dst_port t data] sends one datagram from [src_port] (default: a free port). [t] may
    be listening at [src_port]. It does not wait. [src] must be the source address of datagrams to
    [dst].
    @raise Invalid_argument unless [src_port] is 1 to 65,535 and [ttl] is 1 to 255. *)

val input : t -> src:ipaddr -> dst:ipaddr -> Cstruct.t -> unit Lwt.t
(** [input] is rejected with [Invalid_argument]: datagrams come from the host's own link. *)

val disconnect : t -> unit Lwt.t
(** [disconnect t] stops all listeners. *)
