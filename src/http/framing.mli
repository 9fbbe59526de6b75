(** The header fields that decide where a message ends and whether the connection lives on:
    Content-Length, Transfer-Encoding and Connection (RFC 9112 §6, §9). Strict, since two recipients
    that disagree here are a way to smuggle a message. *)

type t

type verdict =
  | Fine
  | Wrong of { status : int; reason : string }
      (** the status is the one that a server sends: 400 or 501 *)

val create : unit -> t

val reset : t -> unit
(** [reset t] forgets all fields. *)

val note : t -> string -> string -> verdict
(** [note t name value] takes a field in; fields of other names are [Fine]. Wrong are a second
    Content-Length or Transfer-Encoding, a length that is not one or more digits, and any coding but
    exactly [chunked]. *)

val check : t -> version:Http.Version.t -> verdict
(** [check t ~version] is what is wrong with all of them together: both Content-Length and
    Transfer-Encoding, or Transfer-Encoding in HTTP/1.0. *)

val content_length : t -> int
(** [content_length t] is -1 if there was none, [max_int] if it was more. *)

val chunked : t -> bool

val keep_alive : t -> version:Http.Version.t -> bool
(** [keep_alive t ~version] is whether the connection may be used again: [close] was not said, and
    it is HTTP/1.1 or [keep-alive] was (RFC 9112 §9.3). *)
