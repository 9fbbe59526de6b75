(** Bytes to send: one contiguous run, written as a whole. Messages are serialised directly into it.
*)

type t

val create : Buffers.t -> t
val length : t -> int

val data : t -> Bytes.t
(** [data t] holds the [length t] bytes to send, from [start t] on, until the next change of [t]. *)

val start : t -> int

val sent : t -> unit
(** [sent t] says that all the bytes were sent. *)

val truncate : t -> int -> unit
(** [truncate t n] keeps the first [n] bytes.
    @raise Invalid_argument if there are fewer. *)

val char : t -> char -> unit
val string : t -> string -> unit
val decimal : t -> int -> unit
val crlf : t -> unit

val field : t -> string -> string -> unit
(** [field t name value] adds a header line. *)

(** {1 Lending space}

    A producer stores bytes directly in the output: call [lend], store them at [lent_at], then call
    [filled]. Between [lend] and [filled], {!sent} may be called, but nothing may be added. *)

val lend : t -> want:int -> chunked:bool -> int
(** [lend t ~want ~chunked] is how many bytes, at least 1 and at most [want], may be stored at
    [lent_at t] in [data t]. With [chunked] there is room for the chunk framing too. *)

val lent_at : t -> int

val filled : t -> int -> chunked:bool -> unit
(** [filled t n ~chunked] adds the first [n] bytes of the lent space, as one chunk if [chunked] (RFC
    9112 §7.1). If [n] is 0, it adds nothing. *)

val rest : t -> unit
(** [rest t] gives a large buffer back if [t] is empty. *)

val release : t -> unit
(** [release t] drops all bytes and gives the buffer back. *)
