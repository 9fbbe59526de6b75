(** A folder on disk as {!Weir_http.Files.tree}. *)

val tree : string -> Weir_http.Files.tree
(** [tree dir] serves regular files and folders below [dir]. Symbolic links are followed as long as
    they stay below it. Reads block like any disk read: at most 64 KiB at a time.
    @raise Fail.Usage if [dir] is not a folder. *)
