(** Ephemeral ports (RFC 6056). *)

val first : int
(** [first] is the lowest of them, 32,768; the highest is 65,535. *)

val choose : Random.State.t -> (int -> bool) -> int
(** [choose random free] is the first ephemeral port, from a random one upwards, for which [free] is
    true (RFC 6056 §3.3.1); 0 if there is none. *)
