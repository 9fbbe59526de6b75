(** UDP (RFC 768, RFC 1122 §4.1) and ICMP (RFC 792, RFC 1122 §3.2.2, RFC 4443) of a host: datagrams
    between sockets and IP, and ICMP errors, which are passed to the socket or connection whose
    packet they quote. Echo is {!Echoes}. *)

type t

type subject =
  | Syn of Tcp.connection
  | Flow of Udp_sockets.socket
  | Echo of Echoes.request  (** As in {!Stack}. *)

val create :
  Counters.t ->
  Routes.t ->
  Paths.t ->
  Control_queue.t ->
  Tcp.t ->
  Echoes.t ->
  Groups.t ->
  Redirects.t ->
  Random.State.t ->
  ready:(Udp_sockets.socket -> unit) ->
  t
(** [create … ~ready] has no sockets. [ready s] is called when [s] has a datagram or an error to
    report, once until {!Udp_sockets.heard}. *)

val set_stray : t -> (unit -> bool) -> unit
(** [set_stray t f] makes [t] call [f ()] in {!udp_input} when no socket has the port. If it is
    [true], another host takes the datagram. *)

val sockets : t -> Udp_sockets.t

val this_host : t -> like:Weir_wire.Ip.t -> Weir_wire.Ip.t
(** [this_host t ~like] is an address of this host of the family of [like]: an IPv4 address,
    {!Weir_wire.Ip.any} if it has none; or {!Weir_wire.Ip.loopback_v6}. *)

val source_for : t -> Weir_wire.Ip.t -> Weir_wire.Ip.t
(** [source_for t dst] is the source address of packets to [dst]. *)

(** {1 Packets that come in} *)

val udp_input :
  t ->
  now:Weir_base.Time.t ->
  interface:int ->
  Weir_wire.Packet.t ->
  pseudo:int ->
  group:bool ->
  link_group:bool ->
  unit
(** [udp_input t ~now p …] processes the UDP packet in [p]. [pseudo] is the sum of the
    pseudo-header, or -1 if the link has verified the checksum. [group] is true for an IP broadcast
    or a multicast group, whose members on the interface numbered [interface] receive it,
    [link_group] for a link broadcast. *)

val icmp_input : t -> now:Weir_base.Time.t -> Weir_wire.Packet.t -> unit

val packet_too_big :
  t ->
  src:Weir_wire.Ip.t ->
  dst:Weir_wire.Ip.t ->
  protocol:int ->
  mtu:int ->
  length:int ->
  Bytes.t ->
  at:int ->
  unit
(** [packet_too_big t ~src ~dst ~protocol ~mtu ~length b ~at] processes a router's report that the
    packet of [length] bytes, sent from [src], which is this host's, to [dst], did not fit into a
    link of [mtu] bytes (0: not said). Its first eight bytes behind the IP headers are at [at] in
    [b]. It is for ICMP's "fragmentation needed" and for ICMPv6's Packet Too Big. Only a report
    about a packet that was really sent changes {!Paths}. *)

val path_mtu : t -> Weir_wire.Ip.t -> int
(** As {!Stack.path_mtu}. *)

val icmpv6_input : t -> now:Weir_base.Time.t -> Weir_wire.Packet.t -> Weir_wire.Icmpv6.t -> unit
(** [icmpv6_input t ~now p m] processes [m], decoded from [p], unless it is neighbour discovery. *)

val icmp_error : t -> Icmp_error.t -> hard:bool -> Bytes.t -> off:int -> len:int -> unit
(** [icmp_error t message ~hard b ~off ~len] tells what sent the packet that is quoted at [off]; TCP
    need not try again if it is [hard]. *)

(** {1 Packets that are sent} *)

val tell : t -> Udp_sockets.socket -> unit
(** [tell t s] makes an event of it that there is something new about [s]. *)

val has_route : t -> Weir_wire.Ip.t -> bool
(** [has_route t a]: packets to [a] have a next hop, or are for this host. *)

val bind :
  ?share:bool ->
  t ->
  address:Ipaddr.t ->
  port:int ->
  reuse:bool ->
  (Udp_sockets.socket, [ `In_use | `No_port | `Bad_address ]) result

val send :
  ?ttl:int ->
  ?broadcast:bool ->
  ?dont_fragment:bool ->
  ?probe:bool ->
  t ->
  Udp_sockets.socket ->
  dst:Ipaddr.t ->
  dst_port:int ->
  Bytes.t ->
  off:int ->
  len:int ->
  (unit, [ `Too_long | `No_room | `No_route | `Not_permitted | `Bad_address ]) result
(** As {!Stack.send_udp}. *)

val send_ip :
  ?ttl:int ->
  ?dont_fragment:bool ->
  t ->
  Ipaddr.t ->
  protocol:int ->
  Bytes.t ->
  off:int ->
  len:int ->
  (unit, [ `Too_long | `Would_fragment | `No_room | `No_route | `Bad_address ]) result
(** As {!Stack.send_ip}. *)

val report : t -> now:Weir_base.Time.t -> Icmp_error.reason -> subject -> unit
(** As {!Stack.report}. *)

(** {1 Groups} *)

val set_membership :
  t ->
  Udp_sockets.socket ->
  ?interface:int ->
  Ipaddr.t ->
  Groups.filter ->
  (unit, [ `Not_a_group | `No_interface | `Too_many ]) result
(** [set_membership t s group f]: see {!Stack.set_membership}. *)

val member : t -> Udp_sockets.socket -> ?interface:int -> Ipaddr.t -> Groups.filter option
(** [member t s group] is what {!set_membership} made. *)
