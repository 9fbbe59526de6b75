(** A folder on disk as {!Weir_http.Files.tree}. *)

val tree : string -> Weir_http.Files.tree
(** [tree dir] has the regular files and folders below [dir]. Symbolic links are followed if they
    stay below [dir]. Reads block, as disk reads do, for at most 64 KiB at a time.
    @raise Fail.Usage if [dir] is not a folder. *)
