(** HyStart++ (RFC 9406): slow start ends when round trips grow, before the queue overflows. Its
    limit on growth for an ACK (L) is left out, since receivers that aggregate acknowledge much at
    once. *)

type t

type verdict =
  | Slow_start
  | Conservative  (** round trips have grown: a quarter of the growth (CSS) *)
  | Leave  (** they stayed so for five rounds: congestion avoidance *)

val css_growth_divisor : int
val create : unit -> t

val on_ack : t -> rtt:int -> snd_una:Seq.t -> snd_nxt:Seq.t -> verdict
(** [on_ack t ~rtt ~snd_una ~snd_nxt] takes an ACK during slow start; [rtt] is what it measured, -1
    if nothing (§4.2). *)

val grow : t -> Congestion.t -> Congestion.ack -> unit
(** [grow t c a] is slow start: [c]'s window grows by what [a] acknowledged, up to the threshold
    (RFC 5681 §3.1). In the first one, which has none, [t] says when it is over. *)
