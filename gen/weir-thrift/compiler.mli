(** The compiler: two files, [.ml] and [.mli], for each [.thrift]. *)

val run : folders:string list -> recursive:bool -> string -> (string * string) list
(** [run ~folders ~recursive path] is the names and texts of the files to write for [path] and, if
    [recursive], for the files it includes. Included files are searched for in [folders].
    @raise Program.Failed with the file, line and reason. *)
