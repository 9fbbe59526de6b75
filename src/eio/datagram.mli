(** UDP sockets as Eio datagram sockets.

    A datagram longer than the buffer given to [recv] is cut, as POSIX has it. Received datagrams
    wait in a bounded queue; what does not fit is dropped. Sending to a broadcast address needs
    SO_BROADCAST. [close] is idempotent and ends a pending [recv] with an exception; cancelling a
    [recv] loses no datagram. Every domain may use a socket. *)

val open_ :
  Host.t ->
  reuse_addr:bool ->
  reuse_port:bool ->
  sw:Eio.Switch.t ->
  [ Eio.Net.Sockaddr.datagram | `UdpV4 | `UdpV6 ] ->
  [ `Generic | `Unix ] Eio.Net.datagram_socket_ty Eio.Resource.t
(** [open_ h ~sw a] is a socket bound to [a] (port 0, or [`UdpV4]: a free port). *)
