(** Round trips, merged encodings, truncation and mutation. *)

val groups : (string * Weir_test.Suite.case list) list

val mutate : Random.State.t -> string -> string
(** [mutate state s] is [s] with a few other bytes, doubled or cut. *)
