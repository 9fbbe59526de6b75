(** A link carries Ethernet frames (without preamble and FCS). Devices implement the class type
    {!t}; a decorator wraps any link and is a link itself. No method blocks.

    A link has one user at a time: a host calls it under the host's own lock. The two ends of a
    {!Memory} cable and the ports of a {!Hub} may belong to hosts of different domains. *)

type readiness = ..
(** How the user learns that frames can be received. Libraries for an operating system add
    constructors, such as the file descriptors of [Weir_link_unix.Descriptor]. A user that cannot
    wait for a link's readiness may raise [Invalid_argument]. *)

type readiness +=
  | Notify of ((unit -> unit) -> unit)
        (** [set f] registers [f]. The link calls [f ()] when a frame arrives and no other waits,
            and at once if one waits already. [f] may only set a flag or wake a fiber. A new [f]
            replaces the old one. *)

type capability = {
  checksum : bool;  (** frames may be {!Frame.Partial} *)
  longest : int;  (** the longest frame with a [segment_size], in bytes; 0 if not supported *)
}
(** A device's offloads for TCP and UDP over one address family: completing checksums, cutting a
    long frame into segments, joining segments into a long frame. *)

type by_family = { v4 : capability; v6 : capability }

type capabilities = {
  send : by_family;  (** frames that [send] accepts *)
  receive : by_family;  (** frames that [receive] may return *)
  gathers : bool;  (** [send] accepts long frames that have a tail ({!Frame.set_tail}) *)
}

val none : capabilities

val all : capabilities
(** [all] is every offload, with frames of up to {!longest_frame} bytes, without tails. *)

val longest_frame : int
(** 65,549: the longest IP packet plus the Ethernet header. *)

type stats = {
  mutable rx_frames : int;
  mutable rx_bytes : int;
  mutable rx_dropped : int;  (** received but dropped: queue full, malformed for the device *)
  mutable tx_frames : int;
  mutable tx_bytes : int;
  mutable tx_dropped : int;  (** given to [send] but dropped: queue full, too long, link down *)
}

val stats : unit -> stats
(** [stats ()] is all zero. *)

val received : stats -> Frame.t -> unit
(** [received s f] counts [f] as received. *)

val sent : stats -> Frame.t -> unit
(** [sent s f] counts [f] as sent. *)

val complete : Frame.t -> unit
(** [complete f] puts the checksum into [f] if it is {!Frame.Partial}. Links whose [capabilities]
    are {!none} call it, and decorators that read frames. *)

val refuse : stats -> Frame.t -> unit
(** [refuse s f] counts [f], given to [send], as dropped, and releases it. *)

class type t = object
  method mtu : int
  (** The longest network-layer packet carried, in bytes (1500 for Ethernet); a frame may be 14
      bytes longer. *)

  method capabilities : capabilities
  (** The offloads of [send] and [receive]. A {!Frame.Partial} frame may be sent to any link: a link
      without checksum offload completes the checksum itself. *)

  method readiness : readiness

  method row : int
  (** How many frames a user gains by handing over one after another, all made before, and by
      receiving before it looks at the first: 1 in memory; more where each call goes to the system,
      whose instructions push the user's out of the processor's caches. *)

  method receive : now:Weir_base.Time.t -> Frame.t
  (** The next frame, now owned by the caller, or {!Frame.none}. When {!readiness} signals, and at
      each [deadline], the user calls [receive] until it returns [none]. A user that stops before
      gets no new signal and must call again by itself. Decorators also move delayed frames in this
      call. *)

  method send : now:Weir_base.Time.t -> Frame.t -> unit
  (** Takes ownership of the frame and sends it, or drops and counts it. *)

  method flush : unit
  (** Ends a batch of sends: wakes the other side once, or writes the collected frames. It must
      follow every batch of [send]. *)

  method deadline : Weir_base.Time.t
  (** The instant at which [receive] must be called even if the link is not ready, or [Time.never].
      Every [send] and [receive] may change it. *)

  method stats : stats

  method carrier : bool
  (** [false] once the device was deleted or the other end of the cable was closed: sent frames can
      no longer arrive. The link then wakes the user as for a received frame. *)

  method close : unit
  (** Releases the device. Idempotent. Afterwards [receive] returns [none] and [send] drops frames.
  *)
end

val header_length : int
(** How much longer than the MTU a frame may be: 14 bytes, the Ethernet header. *)

class forward : t -> t
(** [new forward inner] passes every call to [inner]. Decorators inherit from it and override
    methods. Its [capabilities] are {!none}. *)
