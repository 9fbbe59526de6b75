(** Linux TAP devices: an Ethernet cable between this process and the kernel. Not supported: other
    systems' tap devices, more than one queue.

    A device that is down, or not yet up, drops what is sent. One that is deleted while open falls
    silent: nothing is received, everything sent is dropped, and its descriptor is never ready. *)

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
(** [open_ ()] makes a TAP device, or opens the existing one called [name]; the kernel puts a number
    in place of [%d] (default ["tap%d"]).
    - [kernel] is the IPv4 address and network, as ["10.0.0.1/24"], that the kernel's side is given,
      in place of the one it had. Without it that side stays as it is, and a fresh one has none:
      {!Interface.reaches} says what is missing.
    - [up] (default [true]) brings the device up. One that is down drops all frames.
    - [mtu] is set if given, else it is as the device has it (1500 if new).
    - The device disappears on [close] unless it is [persistent]; not given, that stays as it was.

    Making a device, and changing anything about one, needs CAP_NET_ADMIN. Opening a persistent one
    that is as asked for needs it not, if the device is the user's. *)

val available : unit -> (unit, Error.t) result
(** [available ()] is whether /dev/net/tun is there and may be opened. *)

(** {2 Offload}

    With [~offload:true] (default false) frames may be as long as 65,535 bytes of IP packet, and
    transport checksums need not be computed for what stays on this machine:
    - a received TCP frame may be longer than [mtu + 14], as if its segments had come as one; frames
      that the kernel sends to this machine only are {!Weir_link.Frame.Partial}, and what it has
      verified is {!Weir_link.Frame.Verified};
    - a sent TCP frame may be longer than [mtu + 14]: the kernel cuts it into segments that fit; for
      these, and for TCP and UDP frames that are {!Weir_link.Frame.Partial}, the sender need not
      compute the transport checksum. *)
