(** Schemas of hundreds of messages. *)

val cases : Weir_test.Suite.case list
