(** What direct reading and writing of JSON does in its fast paths and beside them. *)

val cases : Weir_test.Suite.case list
