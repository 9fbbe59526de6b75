(** A link over a non-blocking file descriptor that reads and writes one Ethernet frame in each
    call: a TAP or a packet socket.

    With [header] each frame follows a [struct virtio_net_hdr] of 10 bytes. The kernel then
    completes checksums that are {!Weir_link.Frame.Partial} and cuts TCP frames that are longer than
    the MTU. Received frames may also be {!Weir_link.Frame.Partial}, or longer than the MTU, up to
    {!Weir_link.Link.longest_frame}. Frames that the kernel has verified are
    {!Weir_link.Frame.Verified}. *)

type failure = private int
(** Why nothing was read or written. *)

val gone : failure
(** The device was deleted. *)

val down : failure
(** The interface is down. *)

class t :
  fd:Unix.file_descr ->
  name:string ->
  mtu:int ->
  header:bool ->
  Weir_link.Link.capabilities ->
object
  inherit Weir_link.Link.t
  (** [readiness] is [fd]. [rx_dropped] counts frames that are too long, or whose [virtio_net_hdr]
      is of an unknown kind. [tx_dropped] counts frames that are too long or too short, or that the
      device refused because it was down or full. [carrier] is [false] once the device {!is_gone}.
      [close] closes [fd]. *)

  method name : string

  method offload : bool
  (** Whether frames longer than the MTU may be sent, up to 64 KB. *)

  method is_gone : bool
  (** Whether the device has been deleted. [fd] is then replaced by a descriptor that is never
      ready. *)

  method on_gone : (unit -> unit) -> unit
  (** [on_gone f] makes the link call [f ()] when it finds that the device was deleted, or at once
      if that is known. [f] must only note this or wake a fiber. Only the last [f] is called. *)

  (** For subclasses: *)

  val stats : Weir_link.Link.stats
  val mutable is_open : bool

  method private failed : failure -> unit
  (** Called after an error of the descriptor; calls [lose] if the error is {!gone}. *)

  method private lose : unit
  (** Records that the device was deleted. *)
end
