(** A link carries Ethernet frames (without preamble and FCS). Devices implement the class type;
    decorators take any link and are one. All methods return at once.

    A link has one user at a time: a host calls it under the host's own lock. The two ends of a
    {!Memory} cable and the ports of a {!Hub} may belong to hosts of different domains. *)

type readiness = ..
(** How the user learns that frames can be received. What an operating system adds is declared
    beside it, as the file descriptors of [Weir_link_unix.Descriptor]; a user may refuse a link by
    [Invalid_argument] if it knows no way to wait for it. *)

type readiness +=
  | Notify of ((unit -> unit) -> unit)
        (** [set f]: [f ()] is called when the link turns from empty to having a frame, and at once
            if it has one; [f] must only note the fact or wake a fiber. The last [f] set is the one
            called. *)

type capability = {
  checksum : bool;  (** frames may be {!Frame.Partial} *)
  longest : int;  (** bytes of a frame with a [segment_size], 0 if there are none *)
}
(** What a device does for TCP and UDP over one family: completing checksums, and cutting one long
    frame into segments, or giving many as one. *)

type by_family = { v4 : capability; v6 : capability }

type capabilities = {
  send : by_family;  (** what [send] takes *)
  receive : by_family;  (** what [receive] may give *)
}

val none : capabilities

val all : capabilities
(** [all] is everything, frames of {!longest_frame} bytes among it. *)

val longest_frame : int
(** 65,549: the longest IP packet and the Ethernet header. *)

type stats = {
  mutable rx_frames : int;
  mutable rx_bytes : int;
  mutable rx_dropped : int;  (** arrived but thrown away: queue full, malformed for the device *)
  mutable tx_frames : int;
  mutable tx_bytes : int;
  mutable tx_dropped : int;  (** given to [send] but thrown away: queue full, too long, link down *)
}

val stats : unit -> stats
(** [stats ()] is all zero. *)

val received : stats -> Frame.t -> unit
(** [received s f] counts [f] as received. *)

val sent : stats -> Frame.t -> unit
(** [sent s f] counts [f] as sent. *)

val complete : Frame.t -> unit
(** [complete f] puts the checksum into [f] if it is {!Frame.Partial}: what a link does whose
    [capabilities] are {!none}, and a decorator that looks into frames. *)

val refuse : stats -> Frame.t -> unit
(** [refuse s f] counts [f], given to [send], as dropped, and releases it. *)

class type t = object
  method mtu : int
  (** The longest network-layer packet carried, in bytes (1500 for Ethernet); a frame may be 14
      bytes longer. *)

  method capabilities : capabilities
  (** What may be asked of [send], and expected of [receive], beyond plain frames. A frame that is
      {!Frame.Partial} may be sent to any link: one that cannot have it so completes it. *)

  method readiness : readiness

  method receive : now:Weir_base.Time.t -> Frame.t
  (** The next frame, now owned by the caller, or {!Frame.none}. The user calls it until it is
      [none] whenever {!readiness} says so or [deadline] has come; decorators also move what they
      hold back on this call. A user that stops earlier must come back by itself. *)

  method send : now:Weir_base.Time.t -> Frame.t -> unit
  (** Takes ownership of the frame and sends it, or drops and counts it. *)

  method flush : unit
  (** Ends a batch of sends: wakes the other side once, or writes out what was gathered. Every run
      of [send] is followed by it. *)

  method deadline : Weir_base.Time.t
  (** The instant at which [receive] must be called even if nothing is ready, or [Time.never]. It
      may move on every [send] and [receive]. *)

  method stats : stats

  method carrier : bool
  (** [false] once what is sent can reach nobody any more: the device was deleted, or the other end
      of the cable was closed. The user is woken when it is lost, as if a frame had come. *)

  method close : unit
  (** Releases the device. Idempotent; afterwards [receive] is [none] and [send] drops. *)
end

val header_length : int
(** By how much a frame may be longer than the MTU: the Ethernet header's 14 bytes. *)

class forward : t -> t
(** [new forward inner] does as [inner] does: what a decorator inherits, to override what it
    changes. Its [capabilities] are {!none}. *)
