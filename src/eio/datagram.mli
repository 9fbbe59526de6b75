(** UDP sockets as Eio datagram sockets.

    [recv] cuts a datagram that is longer than the buffer, as POSIX specifies. Received datagrams
    wait in a bounded queue; excess datagrams are dropped. Sending to a broadcast address needs
    SO_BROADCAST. [close] is idempotent and ends a pending [recv] with an exception; cancelling a
    [recv] loses no datagram. Every domain may use a socket. *)

val open_ :
  Host.t ->
  reuse_addr:bool ->
  reuse_port:bool ->
  sw:Eio.Switch.t ->
  [ Eio.Net.Sockaddr.datagram | `UdpV4 | `UdpV6 ] ->
  [ `Generic | `Unix ] Eio.Net.datagram_socket_ty Eio.Resource.t
(** [open_ h ~reuse_addr ~reuse_port ~sw a] is a socket bound to [a], closed when [sw] ends. With
    port 0, [`UdpV4] or [`UdpV6] the port is a free one. The two flags are SO_REUSEADDR and
    SO_REUSEPORT.
    @raise Eio.Io
      with EADDRINUSE, or with EADDRNOTAVAIL if [a] is not an address of [h]. With [`UdpV6] or the
      address [::] the socket shows IPv4 addresses mapped into IPv6, like a dual-stack socket. *)

val of_socket :
  Host.t ->
  sw:Eio.Switch.t ->
  Weir_core.Udp_sockets.socket ->
  [ `Generic | `Unix ] Eio.Net.datagram_socket_ty Eio.Resource.t
(** [of_socket h ~sw s] is the open socket [s] of [h], closed when [sw] ends. *)
