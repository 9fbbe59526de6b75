(** The generator: it makes two files, [.ml] and [.mli], for each requested file. *)

val generate : Model.t -> (string * string) list
(** [generate t] is the names and texts of the files.
    @raise Failure if the schema uses an unsupported feature. *)
