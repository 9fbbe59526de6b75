(** The state machine that removes the framing of a message body (RFC 9112 §6, §7): a length,
    chunks, or the end of the connection. Chunk extensions and trailers are checked, bounded and
    dropped. *)

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
    [Length] is not compared with [body_bytes] here: the parser of the head has done that. *)

(** {1 Reading}

    These functions return the number of bytes, or one of the three values below. *)

val ended : int
(** 0: the body and its trailers are consumed. *)

val more : int
(** -1: all of the input is consumed; more is needed. *)

val failed : int
(** -2: see {!error}. All later calls fail too. *)

val read : t -> Input.t -> Bytes.t -> off:int -> len:int -> int
(** [read t input b ~off ~len] moves at most [len] (at least 1) body bytes into [b]. *)

val skip : t -> Input.t -> int
(** [skip t input] drops the next contiguous body bytes and returns their number. *)

val credit : t -> Input.t -> int
(** [credit t input] is how many of the next bytes on the wire are body bytes without framing; 0
    unless [input] is empty. The caller may receive them into a buffer of its own and then calls
    {!took}. *)

val took : t -> Input.t -> int -> unit
(** [took t input n] says that [n] bytes, at most {!credit}, were received without [input]. *)

val end_of_input : t -> Input.t -> unit
(** [end_of_input t input], after {!more}, says that no byte will follow. That ends an [Until_close]
    body; any other unfinished body fails. *)

val is_over : t -> bool
(** [is_over t] is whether {!read} would return {!ended} without more input. *)

val left : t -> int
(** [left t] is how many bytes of a [Length] body are still to come; -1 for an unfinished body of
    another framing. *)

val received : t -> int
(** [received t] is the number of body bytes moved or dropped so far. *)

val error : t -> Error.t
(** Statuses 400, 413 and 431. *)
