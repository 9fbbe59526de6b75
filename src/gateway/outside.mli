(** The kernel's sockets for what a gateway carries on: datagrams and echo requests, whose errors it
    hears of. Under [Eio_main] only. *)

type datagrams = { send : Bytes.t -> unit; receive : unit -> Bytes.t  (** waits *) }
(** Datagrams to and from one address and port. Both raise [Eio.Io]; an error may be about an
    earlier datagram, and the next call may succeed. *)

val of_net : _ Eio.Net.t -> sw:Eio.Switch.t -> Ipaddr.t * int -> datagrams
(** [of_net net ~sw to_] uses a socket of any network. It keeps a buffer of 64 KB, and hears of no
    errors. *)

val datagrams : sw:Eio.Switch.t -> Ipaddr.t * int -> datagrams
(** [datagrams ~sw to_] uses a connected socket of the kernel, which is told when a datagram could
    not be delivered.
    @raise Eio.Io if there is no route. *)

val ping :
  clock:_ Eio.Time.Mono.t -> ?timeout_ns:int -> Ipaddr.t -> sequence:int -> string -> string option
(** [ping ~clock a ~sequence data] sends an ICMP echo request by a socket that needs no privilege
    (net.ipv4.ping_group_range) and is the answer's data, or [None] if there is none within
    [timeout_ns] (10 s).
    @raise Eio.Io with EACCES or EPERM if the system does not allow that, or if there is no route.
*)

val error : exn -> Unix.error option
(** [error e] is the system's error in an exception of Eio's. *)

val to_eio : Ipaddr.t * int -> Eio.Net.Ipaddr.v4v6 * int
