(** The sender's state between the first sign of a loss and the repair of all that was sent before
    it (RFC 6675 §5, RFC 8985 §7, RFC 6582): data and the moves that keep it consistent;
    {!Sack_recovery} or {!Newreno} decides. *)

open Weir_base

type phase =
  | Open  (** nothing is known to be lost *)
  | Fast  (** SACK, RACK or duplicates told of a loss; {!Prr} sets the pace *)
  | Timeout  (** the retransmission timer did; slow start *)

type t = {
  prr : Prr.t;
  mutable phase : phase;
  mutable recover : Seq.t;  (** RecoveryPoint: once it is acknowledged, the episode is over *)
  mutable began : Seq.t;  (** SND.UNA when the phase was entered *)
  mutable reduced_at : Time.t;  (** {!Scoreboard.stamp} of when the window was last reduced *)
  mutable may_undo : bool;  (** nothing proves yet that there was a loss *)
  mutable first_again_at : Time.t;  (** of the first retransmission *)
  mutable again_end : Seq.t;  (** where that segment ended; -1 if none went *)
  mutable unproven : int;
      (** retransmissions, those under way at the beginning included, of which no D-SACK said that
          they were needless *)
  mutable undone_upto : Seq.t;  (** what was sent when the last one was undone *)
  mutable partials : int;  (** ACKs of a part, without SACK *)
  mutable tlp_end : Seq.t;  (** TLP.end_seq, -1 if no probe is out *)
  mutable tlp_is_retrans : bool;
  mutable tlp_due : bool;  (** send a probe *)
}

val create : iss:Seq.t -> t

val enter : t -> phase -> at:Time.t -> snd_una:Seq.t -> recover:Seq.t -> unit
(** [enter t phase ~at ~snd_una ~recover] begins an episode of that phase, for which the window is
    reduced [at] that {!Scoreboard.stamp}. It may be undone unless one has been in the same round
    trip: undoing costs a walk over all that is in flight, which a peer could else ask for by each
    of its ACKs. *)

val on_sent_again : t -> upto:Seq.t -> now:Time.t -> unit
(** [on_sent_again t ~upto ~now]: the segment that ends before [upto] went again. *)

val impatient : t -> bool
(** [impatient t]: a second partial ACK has come in fast recovery without SACK. From the first on,
    the retransmission timer is not restarted (RFC 6582 §3.2 step 3), so that many losses in one
    window end in a timeout rather than take a round trip each. *)

val on_advance : t -> snd_una:Seq.t -> unit
(** [on_advance t ~snd_una]: SND.UNA has moved. *)

val follow : t -> snd_una:Seq.t -> unit
(** [follow t ~snd_una] keeps [recover] close behind SND.UNA outside episodes, or the comparison
    would turn over after 2 GB. Without SACK it says from where on duplicates count. *)

val needless : t -> right:Seq.t -> bool
(** [needless t ~right] takes a D-SACK of what ends before [right], and tells whether now all that
    went again was needless (RFC 3708 §2). Copies of what was acknowledged before the episode do not
    count: the network or a retransmission of earlier made those. *)

val leave : t -> unit

val undone : t -> snd_max:Seq.t -> unit
(** [undone t ~snd_max] leaves the episode as needless. *)
