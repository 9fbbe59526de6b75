(** Blocks of megabytes, for which the system is asked for large pages ([madvise], Linux). A new
    block's pages are made one by one as they are first written: of 4 KB each that takes longer than
    the writing. *)

val bytes : int -> Bytes.t
(** [bytes n] is [Bytes.create n]. *)

val floats : int -> floatarray
(** [floats n] is [Float.Array.create n]. *)

val ints : int -> int array
(** [ints n] is [Array.make n 0]. *)
