(** The sender's state during a recovery episode: from the first sign of a loss until all data sent
    before it are acknowledged (RFC 6675 §5, RFC 8985 §7, RFC 6582). This module keeps the state
    consistent; {!Sack_recovery} or {!Newreno} decides. *)

open Weir_base

type phase =
  | Open  (** no known loss *)
  | Fast  (** fast recovery: SACK, RACK or duplicate ACKs showed a loss; {!Prr} sets the window *)
  | Timeout  (** recovery after the retransmission timer; slow start *)

(** Forward RTO-recovery (RFC 5682): whether a timeout is still checked for being spurious. *)
type frto =
  | No
  | Sent_first  (** only the first segment was sent again; its ACK has not come *)
  | Sent_new  (** new data may be sent before more is sent again; the next ACK decides *)

type t = {
  prr : Prr.t;
  mutable phase : phase;
  mutable recover : Seq.t;  (** RecoveryPoint: once it is acknowledged, the episode is over *)
  mutable began : Seq.t;  (** SND.UNA when the phase was entered *)
  mutable reduced_at : Time.t;  (** {!Scoreboard.stamp} of when the window was last reduced *)
  mutable may_undo : bool;  (** nothing has proved yet that there was a loss *)
  mutable first_again_at : Time.t;  (** when the first retransmission was sent *)
  mutable again_end : Seq.t;  (** the end of that segment; -1 if none was sent *)
  mutable unproven : int;
      (** retransmissions, including those in flight at the beginning, that no D-SACK has reported
          as unnecessary *)
  mutable undone_upto : Seq.t;  (** SND.MAX when the last episode was undone *)
  mutable frto : frto;
  mutable partials : int;  (** partial ACKs, without SACK *)
  mutable tlp_end : Seq.t;  (** TLP.end_seq, -1 if no probe is out *)
  mutable tlp_is_retrans : bool;
  mutable tlp_due : bool;  (** send a probe *)
}

val create : iss:Seq.t -> t

val enter : t -> phase -> at:Time.t -> snd_una:Seq.t -> recover:Seq.t -> unit
(** [enter t phase ~at ~snd_una ~recover] begins an episode of that phase; the window is reduced at
    the {!Scoreboard.stamp} [at]. The episode may be undone, but only one per round trip: undoing
    visits all segments in flight, and a hostile peer could otherwise cause that with every ACK. *)

val on_sent_again : t -> upto:Seq.t -> now:Time.t -> unit
(** [on_sent_again t ~upto ~now] notes that the segment that ends before [upto] was retransmitted.
*)

val impatient : t -> bool
(** [impatient t] is true after the second partial ACK of a fast recovery without SACK. Only the
    first partial ACK restarts the retransmission timer ("Impatient" variant, RFC 6582 §3.2 step 3),
    so that many losses in one window end in a timeout instead of one round trip each. *)

val on_advance : t -> snd_una:Seq.t -> unit
(** [on_advance t ~snd_una] notes that SND.UNA has advanced. *)

val follow : t -> snd_una:Seq.t -> unit
(** [follow t ~snd_una] keeps [recover] just behind SND.UNA outside episodes; otherwise the
    comparison of sequence numbers would wrap after 2 GB. Without SACK, only duplicates beyond
    [recover] count. *)

val needless : t -> right:Seq.t -> bool
(** [needless t ~right] processes a D-SACK of a segment that ends before [right]. It is true if now
    all retransmissions were unnecessary (RFC 3708 §2). Duplicates of data acknowledged before the
    episode do not count: the network or an earlier retransmission made them. *)

val leave : t -> unit

val undone : t -> snd_max:Seq.t -> unit
(** [undone t ~snd_max] ends the episode as unnecessary. *)
