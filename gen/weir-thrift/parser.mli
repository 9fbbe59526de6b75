(** The parser of Thrift's interface description language, as Apache Thrift 0.24 has it. The
    obsolete [senum], [slist] and XSD options are not supported. Annotations are ignored. *)

val file : string -> Idl.t
(** [file s] parses [s], the text of a file.
    @raise Lexer.Error with the line of the first mistake. *)
