(** The header fields that decide where a message ends and whether the connection persists:
    Content-Length, Transfer-Encoding and Connection (RFC 9112 §6, §9). The checks are strict: if
    two recipients read these fields differently, requests can be smuggled. *)

type t

type verdict =
  | Fine
  | Wrong of { status : int; reason : string }
      (** [status] is the one a server sends: 400 or 501 *)

val create : unit -> t

val reset : t -> unit
(** [reset t] forgets all fields. *)

val note : t -> string -> string -> verdict
(** [note t name value] reads one field; fields of other names are [Fine]. [Wrong] are a second
    Content-Length or Transfer-Encoding, a length that is not one or more digits, and any coding
    except [chunked]. *)

val check : t -> version:Http.Version.t -> verdict
(** [check t ~version] checks the fields together. [Wrong] are Content-Length with
    Transfer-Encoding, and Transfer-Encoding in HTTP/1.0. *)

val content_length : t -> int
(** [content_length t] is the value of Content-Length: -1 if there is none, [max_int] if it is
    larger than that. *)

val chunked : t -> bool

val keep_alive : t -> version:Http.Version.t -> bool
(** [keep_alive t ~version] is whether the connection persists: no [close] option, and HTTP/1.1 or a
    [keep-alive] option (RFC 9112 §9.3). *)
