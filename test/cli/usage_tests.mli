val cases : Weir_test.Suite.case list

val lines : string -> string list
(** [lines s] are those that are not empty. *)

val fails_silently : int -> string -> string list -> Weir_programs.Programs.env -> unit
(** [fails_silently status sub args env] checks the exit status and that standard error has one
    line; standard output may say what was tried. *)
