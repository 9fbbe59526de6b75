(** Thrift, by the code that weir-thrift makes. *)

val subjects : Subject.t list
(** [thrift-compact] and [thrift-binary] write a new string; [thrift-compact-reused] a writer that
    is used again, which is copied to a string to be read. Empty strings are absent. *)
