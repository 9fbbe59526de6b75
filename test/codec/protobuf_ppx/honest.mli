(** What programs write is read under the default limit of memory, in each format. *)

val cases : Weir_test.Suite.case list
