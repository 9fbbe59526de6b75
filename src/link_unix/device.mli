(** A link whose device is a non-blocking file descriptor that reads and writes one Ethernet frame a
    call: a TAP, a packet socket.

    With [header] each frame follows a [struct virtio_net_hdr] of 10 bytes. The kernel then sums
    what is {!Weir_link.Frame.Partial}, cuts a TCP frame that is longer than the MTU, and gives
    frames of either kind, up to {!Weir_link.Link.longest_frame}; what it has verified is
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
  (** [readiness] is [fd]. [rx_dropped] counts frames that are too long, or of a kind that the
      header cannot tell; [tx_dropped] those that are too long, too short, or refused by the device
      as it was down or full. [carrier] is [false] once the device {!is_gone}. [close] closes [fd].
  *)

  method name : string

  method offload : bool
  (** Whether frames of 64 KB may be sent. *)

  method is_gone : bool
  (** Whether the device has been deleted. [fd] is then replaced by a descriptor that is never
      ready. *)

  method on_gone : (unit -> unit) -> unit
  (** [on_gone f]: [f ()] is called when it turns out that the device has been deleted, at once if
      that is known. [f] must only note the fact or wake a fiber. The last [f] set is the one
      called. *)

  (** For devices of more than one kind: *)

  val stats : Weir_link.Link.stats
  val mutable is_open : bool

  method private failed : failure -> unit
  (** Called when the descriptor gave an error; calls [lose] if that is {!gone}. *)

  method private lose : unit
  (** Notes that the device was deleted. *)
end
