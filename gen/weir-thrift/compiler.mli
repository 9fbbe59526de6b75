(** The compiler: two files, [.ml] and [.mli], for each [.thrift]. *)

val run : folders:string list -> recursive:bool -> string -> (string * string) list
(** [run ~folders ~recursive path] is the names and texts of the files for [path], and for those it
    includes if [recursive]; [folders] is where included files are looked for.
    @raise Program.Failed if it cannot. *)
