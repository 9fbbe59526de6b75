(** Status lines (RFC 9112 §4, RFC 9110 §15). *)

val reason : int -> string
(** [reason code] is the reason phrase of a registered status; [""] for others. *)

val line : int -> string
(** [line code] is the status line, such as ["HTTP/1.1 200 OK\r\n"]. It allocates nothing for
    registered codes.
    @raise Invalid_argument unless 100 <= code <= 999. *)

val bodiless : int -> bool
(** [bodiless code] is whether responses with this status have no body (1xx, 204, 304). *)
