(** The generator: two files, [.ml] and [.mli], for each file asked for. *)

val generate : Model.t -> (string * string) list
(** [generate t] is the names and texts of the files.
    @raise Failure if the schema holds what is not supported. *)
