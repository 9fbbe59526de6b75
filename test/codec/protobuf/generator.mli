(** The generator's cases. *)

val cases : Weir_test.Suite.case list

val role : string
(** The environment variable that makes this executable a plugin or a testee. *)

val as_role : string -> string -> int
(** [as_role name command] runs a shell command under which this executable plays [name]. *)

val temp_dir : unit -> string
(** [temp_dir ()] is a new folder. *)

val read : string -> string
(** [read file] is what [file] holds. *)
