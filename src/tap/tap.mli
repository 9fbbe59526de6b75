(** Linux TAP devices: a virtual Ethernet cable between this process and the kernel. Not supported:
    tap devices of other systems.

    A device that is not up drops sent frames. If a device is deleted while open, it receives
    nothing, it drops all sent frames, and its descriptor is never ready. *)

class type t = Weir_link_unix.Device.t

val open_ :
  ?name:string ->
  ?mtu:int ->
  ?offload:bool ->
  ?persistent:bool ->
  ?kernel:string ->
  ?up:bool ->
  unit ->
  (t, Error.t) result
(** [open_ ()] makes a TAP device, or opens the existing one called [name] (default ["tap%d"]; the
    kernel replaces [%d] by a number).
    - [kernel] is the address and prefix of the kernel's side, such as ["10.0.0.1/24"], or several
      with commas. An IPv4 address replaces the old one, an IPv6 address is added. Without [kernel]
      that side is unchanged, and a new device has no address there: {!Interface.reaches} says what
      is missing.
    - [up] (default [true]) brings the device up. A device that is down drops all frames.
    - [mtu] sets the device's MTU. If not given, it is unchanged (1500 for a new device).
    - [persistent] sets whether the device stays after [close]. If not given, this is unchanged (a
      new device is removed).

    Making or changing a device needs CAP_NET_ADMIN. Opening a persistent device without changes
    does not, if the user owns the device. *)

val open_queues :
  ?name:string ->
  ?mtu:int ->
  ?offload:bool ->
  ?persistent:bool ->
  ?kernel:string ->
  ?up:bool ->
  int ->
  (t list, Error.t) result
(** [open_queues n] is {!open_} with [n] queues, each a link of its own (IFF_MULTI_QUEUE). The
    kernel gives all frames of one flow to one queue: the queue that has sent a frame of this flow
    in the last three seconds, or else the queue chosen by a hash of its addresses and ports. An
    existing device must have been created with several queues, as by [ip tuntap add … multi_queue].
    A device has at most 256 queues, those already open included.
    @raise Invalid_argument if [n < 1]. *)

class type tun = object
  inherit Weir_link.Link.t

  method on_gone : (unit -> unit) -> unit
  (** As that of {!t}. *)
end

val open_tun :
  ?name:string ->
  ?mtu:int ->
  ?persistent:bool ->
  ?kernel:string ->
  ?up:bool ->
  unit ->
  (tun, Error.t) result
(** [open_tun ()] is {!open_} for a TUN device, which carries IP packets (default ["tun%d"]), as an
    Ethernet link: see {!Weir_link.Layer3}, whose [mac] its host must have. Without offloads. *)

val available : unit -> (unit, Error.t) result
(** [available ()] is [Ok ()] if /dev/net/tun exists and this user may open it. *)

(** {2 Offload}

    With [~offload:true] (default false) a frame may hold an IP packet of up to 65,535 bytes, and
    packets within this machine need no transport checksum:
    - A received TCP frame may be longer than [mtu + 14]: it holds several segments. Frames from
      this machine's kernel are {!Weir_link.Frame.Partial}. Frames that the kernel has verified are
      {!Weir_link.Frame.Verified}.
    - A sent TCP frame may be longer than [mtu + 14]: the kernel cuts it into segments. For such
      frames, and for TCP and UDP frames that are {!Weir_link.Frame.Partial}, the sender need not
      compute the transport checksum. *)
