(** When fast retransmit begins and ends, without SACK (RFC 6582, RFC 3042). It counts duplicates
    and the bytes that they speak of, and remembers [recover]; {!Newreno} decides. *)

type t

val create : iss:Seq.t -> t

type verdict =
  | Nothing
  | Send_new  (** limited transmit: one new segment may leave (RFC 3042) *)
  | Enter  (** third duplicate: retransmit the first unacknowledged segment *)
  | In_recovery  (** a duplicate during recovery *)

val on_duplicate : t -> ack:Seq.t -> snd_max:Seq.t -> verdict

type ack =
  | Normal
  | Partial  (** the next hole is now first: retransmit it *)
  | Full  (** recovery is over *)

val on_new_ack : t -> ack:Seq.t -> ack
val on_timeout : t -> snd_max:Seq.t -> unit
val active : t -> bool

val arrives : t -> int -> unit
(** [arrives t bytes]: a duplicate says that so much has arrived beyond SND.UNA; negative, as
    SND.UNA passes it. *)

val arrived : t -> int
(** [arrived t] is the sum of this recovery. *)

val impatient : t -> bool
(** [impatient t]: a second partial ACK has come. From the first on, the retransmission timer is not
    restarted (§3.2, step 3), so that many losses in one window end in a timeout rather than take a
    round trip each. *)

val extra_segments : t -> int
(** [extra_segments t] is how many segments beyond cwnd limited transmit allows, 0 to 2. *)
