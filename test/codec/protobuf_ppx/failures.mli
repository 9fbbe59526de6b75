(** What is refused at run time, and what is said of it: position, path and reason. *)

val groups : (string * Weir_test.Suite.case list) list
