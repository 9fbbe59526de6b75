(** Copying text and checking it in one pass: long ASCII in C, sixteen bytes a step. *)

val copy : string -> int -> Bytes.t -> int -> int -> bool
(** [copy s from b at n] copies [n] bytes of [s] into [b] and is whether they are well-formed UTF-8
    (see {!Utf8.valid}). Neither range is checked. *)

val short : string -> int -> Bytes.t -> int -> int -> int
(** [short s from b at n] copies [n <= 16] bytes, and is 0 if they are ASCII. It is inlined, and
    calls no function. *)
