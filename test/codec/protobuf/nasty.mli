(** Schemas whose names collide: what comes out compiles. *)

val cases : Weir_test.Suite.case list
