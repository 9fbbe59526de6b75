(** Thrift IDL (Apache's interface description language of 0.24), without the long obsolete [senum],
    [slist] and XSD options; annotations are read and ignored. *)

val file : string -> Idl.t
(** [file s] is the file with text [s].
    @raise Lexer.Error with the line of a mistake. *)
