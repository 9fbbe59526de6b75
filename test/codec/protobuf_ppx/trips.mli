(** Round trips, merged encodings, truncation and mutation. *)

val groups : (string * Weir_test.Suite.case list) list
