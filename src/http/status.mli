(** Status lines (RFC 9112 §4, RFC 9110 §15). *)

val reason : int -> string
(** [reason code] is the phrase of a registered status, [""] of others. *)

val line : int -> string
(** [line code] is ["HTTP/1.1 200 OK\r\n"] and the like, made once for registered codes.
    @raise Invalid_argument unless 100 <= code <= 999. *)

val bodiless : int -> bool
(** [bodiless code] is whether responses of this status end with their head (1xx, 204, 304). *)
