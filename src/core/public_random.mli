(** Random numbers that others may see: ports, identifiers, MAC addresses, delays.

    The standard library's generators are not cryptographic: who sees enough of their numbers can
    compute those before and after. So the generator that makes secrets (of initial sequence
    numbers, RFC 6528 §3; of SYN cookies; of hash tables) gives no number to anybody else, and each
    part that needs public numbers has a generator of its own, made by hashing. *)

val make : Random.State.t -> Random.State.t
(** [make secrets] is a new generator, from which the state of [secrets] cannot be computed. Equal
    states give equal generators. *)
