(** The machine that takes the framing off a message body (RFC 9112 §6, §7): a length, chunks, or
    until the connection ends. Chunk extensions and trailers are checked, bounded and dropped. *)

type framing =
  | Length of int  (** that many bytes *)
  | Chunked
  | Until_close  (** responses only *)

val empty : framing
(** [empty] is [Length 0]. *)

type t

val create : Limits.t -> t

val start : t -> framing -> message:int -> unit
(** [start t framing ~message] begins a body of a message that began at stream position [message]. A
    [Length] is not held against [body_bytes] here: who parsed the head has. *)

(** {1 Reading}

    These give the number of bytes, or one of three that are not positive. *)

val ended : int
(** 0: the body and its trailers were consumed. *)

val more : int
(** -1: all of the input was consumed. *)

val failed : int
(** -2: see {!error}; so it stays. *)

val read : t -> Input.t -> Bytes.t -> off:int -> len:int -> int
(** [read t input b ~off ~len] moves at most [len] (at least 1) body bytes into [b]. *)

val skip : t -> Input.t -> int
(** [skip t input] drops the next run of body bytes. *)

val credit : t -> Input.t -> int
(** [credit t input] is how many of the next bytes on the wire are plain body bytes, if [input] is
    empty, else 0: they may be read past [input], to be told by {!took}. *)

val took : t -> Input.t -> int -> unit
(** [took t input n] says that [n] bytes, at most the credit, were read past [input]. *)

val end_of_input : t -> Input.t -> unit
(** [end_of_input t input], after {!more}, says that no byte will follow: the end of an
    [Until_close] body, a failure of any other that is not over. *)

val is_over : t -> bool
(** [is_over t] is whether {!read} would give {!ended} without more input. *)

val left : t -> int
(** [left t] is how many bytes are known to be missing from a [Length] body; -1 for others that are
    not over. *)

val received : t -> int
(** [received t] is the number of body bytes moved or dropped so far. *)

val error : t -> Error.t
(** Statuses 400, 413 and 431. *)
