(** Bytes to be sent: one contiguous run that is written out whole. Messages are serialised straight
    into it. *)

type t

val create : Buffers.t -> t
val length : t -> int

val data : t -> Bytes.t
(** [data t] holds the bytes to send at [start t], [length t] of them, until [t] is next changed. *)

val start : t -> int

val sent : t -> unit
(** [sent t] says that all the bytes were sent. *)

val truncate : t -> int -> unit
(** [truncate t n] keeps the first [n] bytes. *)

val char : t -> char -> unit
val string : t -> string -> unit
val decimal : t -> int -> unit
val crlf : t -> unit

val field : t -> string -> string -> unit
(** [field t name value] adds a header line. *)

(** {1 Lending space}

    [lend], [lent_at], then [filled]: a producer of bytes stores them where they will be sent from.
    Between the two [t] may be {!sent} but nothing may be added. *)

val lend : t -> want:int -> chunked:bool -> int
(** [lend t ~want ~chunked] is how many bytes, at least 1 and at most [want], may be stored at
    [lent_at t] in [data t], leaving place for chunk framing if [chunked]. *)

val lent_at : t -> int

val filled : t -> int -> chunked:bool -> unit
(** [filled t n ~chunked] adds the first [n] bytes of the space lent, as one chunk if [chunked] (RFC
    9112 §7.1; nothing if [n] is 0). *)

val rest : t -> unit
(** [rest t] gives large storage back if nothing is to be sent. *)

val release : t -> unit
(** [release t] forgets everything and gives the storage back. *)
