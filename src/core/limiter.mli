(** A token bucket that limits the packets a peer can cause: ICMP errors (RFC 1812 §4.3.2.8),
    challenge ACKs (RFC 5961 §7), replies. *)

type t

val create : ?random:Random.State.t -> rate:int -> burst:int -> unit -> t
(** [create ~rate ~burst ()] grants [rate] tokens a second in the long run and at most [burst] at
    once; it starts full. With [random], each token costs a random amount with the same mean. Then a
    peer that counts the answers cannot learn how many tokens other peers used (the attack on a
    shared challenge ACK budget).
    @raise Invalid_argument
      unless [rate] is 1 to 1,000,000,000 and [burst] is 1 (with [random] 2) to 1,000,000. *)

val take : t -> now:Weir_base.Time.t -> bool
(** [take t ~now] takes a token and is true, or is false if there is none. If [now] is earlier than
    in the last call, the last [now] is used. It does not allocate without [random]. *)

val refused : t -> int
(** [refused t] is the number of times that {!take} was [false]. *)
