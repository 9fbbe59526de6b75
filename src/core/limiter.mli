(** A token bucket, for what a peer can make this host send: ICMP errors (RFC 1812 §4.3.2.8),
    challenge ACKs (RFC 5961 §7), replies. *)

type t

val create : ?random:Random.State.t -> rate:int -> burst:int -> unit -> t
(** [create ~rate ~burst ()] grants [rate] tokens a second in the long run and at most [burst] at
    once; it starts full. With [random], each token costs a random amount that averages to the same
    rate, so that a peer who counts the answers does not learn what others were granted (the attack
    on a shared challenge ACK budget).
    @raise Invalid_argument
      unless [rate] is 1 to 1,000,000,000 and [burst] 1 to 1,000,000, or 2 with [random]. *)

val take : t -> now:Weir_base.Time.t -> bool
(** [take t ~now] takes a token, if there is one. An instant before the last one counts as the last.
    Allocates nothing without [random]. *)

val refused : t -> int
(** [refused t] is how often {!take} was [false]. *)
