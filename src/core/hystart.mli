(** HyStart++ (RFC 9406): slow start ends when the round-trip time grows, before the queue
    overflows. Its limit on growth per ACK (L) is not applied, because a receiver with aggregation
    acknowledges many segments at once. *)

type t

type verdict =
  | Slow_start
  | Conservative
      (** the round-trip time has grown: conservative slow start (CSS), with a quarter of the growth
      *)
  | Leave  (** it stayed high for five rounds: go to congestion avoidance *)

val create : unit -> t

val on_ack : t -> rtt:int -> snd_una:Seq.t -> snd_nxt:Seq.t -> verdict
(** [on_ack t ~rtt ~snd_una ~snd_nxt] processes an ACK in slow start. [rtt] is the round trip it
    measured, -1 if none (§4.2). *)

val grow : t -> Congestion.t -> Congestion.ack -> unit
(** [grow t c a] is slow start: [c]'s window grows by the bytes that [a] acknowledged, up to the
    threshold (RFC 5681 §3.1). The first slow start has no threshold; [t] decides when it ends. *)
