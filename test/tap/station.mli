(** A device in the test's namespace with the kernel at 10.9.0.1/24 on its other side, and just
    enough of a host at 10.9.0.2 to talk to it. *)

open Weir_link
open Weir_tap
open Weir_link_unix

val get : ('a, Error.t) result -> 'a
(** [get r] is what it holds, or fails. *)

(** The last two are sockets on an end of a veth pair. *)
type kind = Tap | Packet | Xdp

val needed : kind -> unit
(** [needed kind] skips the running test where there can be no such device. *)

val with_device : kind -> ?mtu:int -> ?offload:bool -> (Device.t -> unit) -> unit
(** [with_device kind f] is [f device] with a device that is up; it is closed afterwards. *)

val open_card :
  kind ->
  ?offload:bool ->
  ?mode:Weir_xdp.Xdp.mode ->
  ?mac:Macaddr.t ->
  ?up:bool ->
  string ->
  (Weir_packet.Packet.t, Error.t) result
(** [open_card kind name] is a link of the kind, which is not {!Tap}, on the interface [name]. *)

val with_card :
  kind ->
  ?mtu:int ->
  ?offload:bool ->
  ?mode:Weir_xdp.Xdp.mode ->
  ?mac:Macaddr.t ->
  (Weir_packet.Packet.t -> unit) ->
  unit
(** [with_card kind f] is {!with_device} for such a link, made for [mac] or all addresses. *)

val kernel_end : Device.t -> string
(** [kernel_end d] is the interface by which the kernel reaches us. *)

val python : string -> unit
(** [python program] runs it to its end; it must succeed. *)

val own_ip : Weir_wire.Ip.t
val own_mac : Weir_wire.Mac.t
val kernel_ip : Weir_wire.Ip.t

val readable : Link.t -> seconds:float -> bool
(** [readable l ~seconds] waits for the link's descriptor. *)

val receive : Device.t -> (Frame.t -> 'a option) -> 'a
(** [receive tap f] is the first [f frame] that is [Some], among the frames of at most two seconds;
    fails if there is none. Frames are released. *)

val ipv4 : Frame.t -> (Weir_wire.Ipv4.t * int) option
(** The IPv4 header of a frame, and the offset of its data. *)

val udp_payload : port:int -> Frame.t -> string option
(** [udp_payload ~port f] is the data of [f] if it is a UDP datagram to [port], checksums right
    (unless the link vouches for them). *)

val udp : ?len:int -> Device.t -> port:int -> string -> Frame.t
(** [udp tap ~port s] is a frame with a datagram to the kernel's [port]; [len] is the frame's length
    if [s] is to be padded. *)

val tcp : Device.t -> port:int -> string -> Frame.t
(** [tcp tap ~port s] is a frame with a segment to the kernel's [port]; the link is to complete its
    checksum. *)

val answer : Device.t -> Frame.t -> bool
(** [answer tap f] answers [f] if it is an ARP request or an ICMP echo request to us. *)

val broadcast_socket : unit -> Unix.file_descr
(** A kernel socket that can send to 10.9.0.255. *)

val shout : Unix.file_descr -> port:int -> string -> unit
(** [shout socket ~port s] makes the kernel send [s] to 10.9.0.255. *)
