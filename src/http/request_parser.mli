(** The state machine that parses request heads (RFC 9112 §3, §5, §6), one after the other, from
    input split anywhere. It looks at each byte once. It refuses ambiguous messages and repairs
    nothing. *)

type t

type step =
  | More  (** all of the input was read: more is needed *)
  | Head  (** a head was consumed; the accessors below describe it *)
  | Failed  (** see {!error}; all later steps fail too *)

val create : Limits.t -> t

val start : t -> Input.t -> unit
(** [start t input] prepares for the next request, whose first byte is the next of [input]. *)

val step : t -> Input.t -> step

val idle : t -> bool
(** [idle t] is whether no byte of a request has arrived, except empty lines before it (RFC 9112
    §2.2). *)

val error : t -> Error.t
(** Statuses 400, 413, 414, 417, 431, 501 and 505. *)

val message : t -> int
(** [message t] is the stream position where this message began. *)

val is_head_request : t -> bool
(** [is_head_request t] is whether the method is HEAD; may be called after {!Failed}. *)

(** {1 After [Head]} *)

val head : t -> Request.head

val framing : t -> Body.framing
(** [framing t] is [Length] or [Chunked]. *)

val keep_alive : t -> bool
(** [keep_alive t] is whether the client lets the connection persist (RFC 9112 §9.3). *)

val expects_continue : t -> bool
(** [expects_continue t] is whether an HTTP/1.1 client waits for status 100 before it sends the body
    (RFC 9110 §10.1.1). *)
