(** A host: Ethernet, ARP, IPv4, IPv6 with neighbour discovery, ICMP, UDP and TCP in one state
    machine without I/O, on one or more links.

    A driver runs it with five calls: {!input} (a frame arrived), {!tick} (time has advanced),
    {!deadline} (when to call {!tick} next), {!transmit} (the next frame to send) and {!val-event}
    (what has happened). The same inputs at the same times with the same random state give the same
    outputs. A host belongs to one domain.

    Addresses of both families go through the same functions. An IPv4 address may also be written as
    an IPv6 one, [::ffff:10.0.0.1] (RFC 4291 §2.5.5.2).

    Not supported yet: IP options, router discovery of IPv4. *)

open Weir_base

type t

type settings = {
  mac : Weir_wire.Mac.t;
  addresses : Ipaddr.Prefix.t list;  (** each with its network on the link *)
  gateways : Ipaddr.t list;  (** default routes; the last one of a family counts *)
  mtu : int;  (** of the link, 576 to 65,535 bytes; IPv6 needs 1,280 *)
  secret : Stable_address.secret;  (** for the addresses that the host makes *)
  config : Config.t;
}

val create : settings -> random:Random.State.t -> now:Time.t -> t
(** [create s ~random ~now] is a host without connections or sockets. [random] must be unpredictable
    outside simulations. Secrets come from it; what others see comes from generators that
    {!Public_random} makes of it.
    @raise Invalid_argument
      if [mtu] is out of range or too small for IPv6, or a gateway is not on the link. *)

val config : t -> Config.t
val counters : t -> Counters.t
val tcp : t -> Tcp.t

val address : t -> Ipaddr.t
(** [address t] is the first IPv4 address of [t], else the best IPv6 address, [::] if it has none.
*)

(** {1 Interfaces}

    {!create} makes the interface with number 0. An interface whose MTU is at least 1,280 has a
    link-local IPv6 address from the start, a {!Stable_address}. Packets to link-local addresses
    leave by the interface that has their source address. A packet to any address of the host is
    accepted on every interface (the weak model of RFC 1122 §3.3.4.2). Packets leave by the
    interface of their route. *)

val add_interface : t -> mac:Weir_wire.Mac.t -> mtu:int -> Interface.t
(** [add_interface t ~mac ~mtu] is a new interface with the next number and only a link-local
    address.
    @raise Invalid_argument if [mtu] is out of range. *)

val set_offload : t -> Interface.t -> Offload.by_family -> unit
(** [set_offload t i o] sets the offloads of frames that leave by [i]; by default there are none. *)

val set_transparent : t -> bool -> unit
(** [set_transparent t true] makes [t] accept packets for every unicast address, as a gateway that
    stands for all hosts behind it. {!Tcp.intercept}, {!Udp_sockets.intercept} and {!set_echo} take
    what comes for addresses that are not its own; without them it is answered as if [t] had the
    address. Their answers have that address as the source. Off by default. *)

type echo = Echoes.request = {
  source : Weir_wire.Ip.t;
  destination : Weir_wire.Ip.t;
  identifier : int;
  sequence : int;
  ttl : int;  (** or hop limit, as it came *)
  data : string;
}
(** An ICMP echo request of either family. *)

val set_echo : t -> (echo -> unit) option -> unit
(** [set_echo t (Some f)] makes a transparent [t] call [f] on each echo request for another host,
    which it then does not answer. [f] may only keep it. *)

val reply_echo : t -> now:Time.t -> echo -> unit
(** [reply_echo t ~now e] queues the answer to [e], from its destination, with its data. *)

type subject = Datagrams.subject =
  | Syn of Tcp.connection  (** the SYN that made it *)
  | Flow of Udp_sockets.socket  (** a datagram that a connected socket received *)
  | Echo of echo

val report : t -> now:Time.t -> Icmp_error.reason -> subject -> unit
(** [report t ~now reason s] sends the sender of [s] the ICMP error that its destination is
    unreachable, as a router does: from this host's own address, within the rate limit of ICMP
    errors. {!Tcp.forget} drops the SYN itself. *)

val interface : t -> int -> Interface.t
(** [interface t n] is interface number [n].
    @raise Invalid_argument if there is none. *)

val max_mtu : t -> int
(** [max_mtu t] is the largest MTU of the interfaces of [t]. A frame may be 14 bytes longer. *)

val has_route : t -> Ipaddr.t -> bool
(** [has_route t a] is true if packets to [a] have a next hop, or [a] is a multicast group or an
    address of [t]. *)

val has_source : t -> Ipaddr.t -> bool
(** [has_source t a] is true if [t] has an address, not a tentative one, from which it can send to
    [a]. *)

val mtu_to : t -> Ipaddr.t -> int
(** [mtu_to t a] is the MTU of the interface by which packets to [a] leave. *)

val path_mtu : t -> Ipaddr.t -> int
(** [path_mtu t a] is the longest IP packet for the path to [a], as far as is known: at most
    {!mtu_to}[ t a], and less if {!Paths} says so. *)

val add_address :
  t ->
  ?state:Interface.state ->
  ?preferred_until:Time.t ->
  ?valid_until:Time.t ->
  Interface.t ->
  Ipaddr.Prefix.t ->
  unit
(** [add_address t i p] gives [i] the address and network of [p], or changes the state and lifetimes
    of an address that it has: see {!Routes.add_address}. An IPv6 address that is new, without
    [state], is tentative until duplicate address detection is over (RFC 4862 §5.4), if
    [Config.dad_transmits] is not 0. The driver must call {!deadline} again afterwards. *)

val remove_address : t -> Interface.t -> Ipaddr.t -> unit
(** [remove_address t i a] removes [a]. Connections from [a] stay, but receive nothing until [a] is
    added again. *)

val is_settling : t -> bool
(** [is_settling t] is true while an address is tentative. *)

val duplicates : t -> Ipaddr.t list
(** [duplicates t] is the addresses that were removed because another host had them. *)

val everything : Ipaddr.t -> Ipaddr.Prefix.t
(** [everything a] is the network with all addresses of [a]'s family: that of a default route. *)

val add_route : t -> Ipaddr.Prefix.t -> gateway:Ipaddr.t -> (unit, string) result
(** [add_route t p ~gateway]: see {!Routes.add}. *)

val routes : t -> Routes.t

(** {1 DHCP} *)

val start_dhcp : t -> now:Time.t -> Interface.t -> Dhcp_config.t -> Dhcp.t
(** [start_dhcp t ~now i c] lets a DHCP server choose the address of [i], its routes and its MTU,
    and keeps them as long as the server does. The driver must call {!transmit} and {!deadline}
    afterwards. From then on {!bind_udp} refuses port 68.
    @raise Invalid_argument as {!Dhcp_config.check}, or if it was called for this interface before.
*)

val dhcp : t -> Interface.t -> Dhcp.t option
(** [dhcp t i] is what {!start_dhcp} made. *)

val start_autoconf : t -> now:Time.t -> Interface.t -> Autoconf.t
(** [start_autoconf t ~now i] lets the routers on the link of [i] configure IPv6; all interfaces
    share the result. The driver must call {!transmit} and {!deadline} afterwards.
    @raise Invalid_argument as {!Autoconf.start}. *)

val autoconf : t -> Autoconf.t option
(** [autoconf t] is what {!start_autoconf} made. *)

val release_dhcp : t -> now:Time.t -> unit
(** [release_dhcp t ~now] queues messages that give all leases back to their servers, once. The
    addresses stay, so that {!transmit} can send these messages. Call it when nothing else is to be
    sent. *)

val set_forwarding : t -> bool -> unit
(** [set_forwarding t true] makes [t] a router, which forwards packets between its interfaces (see
    {!Forwarding}); by default a host does not. A host with {!set_siblings} cannot be a router. *)

val advertise :
  t -> now:Time.t -> ?interval:Time.t -> Interface.t -> Weir_wire.Nd.advertisement option -> unit
(** [advertise t ~now i (Some a)] makes [t], a router, advertise [a] on the link of [i], so that
    hosts there configure themselves; with [None] it ends that: see {!Advertiser.set}. The driver
    must call {!transmit} and {!deadline} afterwards. *)

(** {1 The five calls of a driver} *)

val input : t -> now:Time.t -> interface:int -> Frame.t -> unit
(** [input t ~now ~interface f] processes an Ethernet frame received by that interface. The
    transport checksum is verified if it is {!Frame.Unverified}. The caller keeps [f]; it is read
    during the call only. Bad frames are counted and dropped. *)

val set_siblings : t -> Siblings.t -> unit
(** [set_siblings t s] makes [t] one of several hosts with the same address. Call it before anything
    else. *)

val take : t -> now:Time.t -> Siblings.packet -> unit
(** [take t ~now p] processes a packet that another of these hosts handed to [t]. *)

val tick : t -> now:Time.t -> unit
(** [tick t ~now] runs the timers that are due. *)

val deadline : t -> Time.t
(** [deadline t] is when {!tick} must be called, at the latest. *)

val transmit : t -> now:Time.t -> Frame.t -> int
(** [transmit t ~now f] writes the next frame into [f], whose buffer must have room for
    [max_mtu t + 14] bytes. It returns the number of the interface that must send it, or {!stays}.
    Packets to the host itself are processed here. If there is room for {!next_length} and the
    interface's {!Offload} allows it, the frame may hold several TCP segments. *)

val next_length : t -> int
(** [next_length t] is an estimate of the longest next frame. *)

val stays : int
(** What {!transmit} returns if there is nothing to send. It is below 0. *)

val usage : t -> Usage.t
(** [usage t] is the use of every bounded resource of the host. It visits all connections: do not
    call it often. *)

val nothing_waits : t -> bool
(** [nothing_waits t] is true if no packet waits in the output queue or for a neighbour's address.
*)

type event =
  | Nothing
  | Connection of Tcp.connection
      (** an event that its user waits for has happened: check its state *)
  | Listener of Tcp.listener  (** a connection can be accepted, or the listener was closed *)
  | Datagram of Udp_sockets.socket  (** a datagram can be received, or there is an error *)
  | Pong of pong
  | Configuration of Dhcp.t  (** its lease has changed *)
  | Advertised of Autoconf.t  (** its configuration has changed *)

and pong = {
  from : Weir_wire.Ip.t;
  identifier : int;
  sequence : int;
  data_length : int;
  ttl : int;
  outcome : (unit, string) result;  (** [Error] for an ICMP error about our request *)
}

val event : t -> event
(** [event t] removes and returns the next event. *)

(** {1 Beyond TCP's own calls}

    The calls of TCP are in {!Tcp}, except {!connect}, which finds the source address and the MSS
    first. *)

val connect :
  t ->
  now:Time.t ->
  ?local:Ipaddr.t ->
  ?local_port:int ->
  Ipaddr.t ->
  port:int ->
  (Tcp.connection, [ `In_use | `No_port | `No_route | `Bad_address ]) result
(** [connect t ~now a ~port] opens a connection. [local] is the source address, by default
    {!source_for}[ t a]; it must be an address of this host. *)

val close_sockets : t -> unit
(** [close_sockets t] closes all listeners and UDP sockets, with events for their users. *)

val bind_udp :
  ?share:bool ->
  t ->
  address:Ipaddr.t ->
  port:int ->
  reuse:bool ->
  (Udp_sockets.socket, [ `In_use | `No_port | `Bad_address ]) result
(** [bind_udp t ~address ~port ~reuse] is {!Udp_sockets.bind} at 0.0.0.0, [::] (both families), an
    address of this host, a multicast group, or one of its network's broadcast addresses: a socket
    at one of these receives only what is sent to it. [`In_use] also for port 68 while DHCP uses it.
    [`Bad_address]: any other address. *)

val udp : t -> Udp_sockets.t

val send_udp :
  ?ttl:int ->
  ?broadcast:bool ->
  ?dont_fragment:bool ->
  ?probe:bool ->
  t ->
  now:Time.t ->
  Udp_sockets.socket ->
  dst:Ipaddr.t ->
  dst_port:int ->
  Bytes.t ->
  off:int ->
  len:int ->
  (unit, [ `Too_long | `No_room | `No_route | `Not_permitted | `Bad_address ]) result
(** [send_udp] queues one datagram, in fragments if it is longer than {!path_mtu} allows. At most
    65,507 bytes. With [dont_fragment] (default false) a longer one is [`Too_long], and routers must
    not fragment it. With [probe] (default false) routers must not fragment it either, and only the
    link's MTU limits its length: for programs that search the path's MTU by themselves (RFC 8899).
    [`No_room]: the output queue is full until {!transmit} empties it. [`Not_permitted]: the address
    is a broadcast address, and [broadcast] is false (default true). [ttl] is 64 by default, to a
    group {!Udp_sockets.group_ttl}; such a datagram also goes to members on this host, if
    {!Udp_sockets.group_loop} of [s]. 0.0.0.0 and [::] mean this host, as for {!connect}. This host
    also receives its own broadcasts.
    @raise Invalid_argument unless [ttl] is 1 to 255 (RFC 1122 §3.2.1.7). *)

type group_error = [ `Not_a_group | `No_interface | `Too_many ]

val set_membership :
  t ->
  now:Time.t ->
  ?interface:int ->
  Udp_sockets.socket ->
  Ipaddr.t ->
  Groups.filter ->
  (unit, group_error) result
(** [set_membership t ~now s group f] makes [s] a member of [group] on an interface, by default that
    of the route to the group, which hears the sources that [f] allows; [Include []] leaves the
    group. [`Not_a_group]: [group] is none, or of another family than [s], or a source is no host's
    address. [`Too_many]: see {!Udp_sockets.most_memberships}, {!Groups.most_members} and
    {!Groups.most_sources}. The driver must call {!transmit} and {!deadline} afterwards. *)

val membership : t -> ?interface:int -> Udp_sockets.socket -> Ipaddr.t -> Groups.filter option
(** [membership t s group] is what {!set_membership} made. *)

val send_ip :
  ?ttl:int ->
  ?dont_fragment:bool ->
  t ->
  now:Time.t ->
  Ipaddr.t ->
  protocol:int ->
  Bytes.t ->
  off:int ->
  len:int ->
  (unit, [ `Too_long | `Would_fragment | `No_room | `No_route | `Bad_address ]) result
(** [send_ip t ~now dst ~protocol b ~off ~len] queues an IP packet, in fragments if needed. Its
    payload is a complete message of [protocol], header included, of at most 65,515 bytes, over IPv6
    65,535. The host processes answers itself. [`Would_fragment]: it is longer than {!path_mtu}
    allows and [dont_fragment] (default false) is set.
    @raise Invalid_argument as {!send_udp}. *)

val source_for : t -> Ipaddr.t -> Ipaddr.t
(** [source_for t dst] is the source address of packets to [dst]. *)

val ping :
  t ->
  now:Time.t ->
  Ipaddr.t ->
  identifier:int ->
  sequence:int ->
  data_length:int ->
  (unit, [ `No_room | `No_route | `Too_long ]) result
(** [ping] queues an ICMP echo request; its answer is a {!Pong}. *)

val is_local : t -> Ipaddr.t -> bool
(** [is_local t a] is true if [a] is an address of this host, in 127.0.0.0/8 or [::1]. *)
