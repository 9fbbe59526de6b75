(** Percent-encoding (RFC 3986 §2.1). *)

val decode : string -> string option
(** [decode s] has each [%XY] replaced by its byte, once; [None] if a [%] is not followed by two
    hexadecimal digits. *)

val encode : string -> string
(** [encode s] has each byte but letters, digits and [-._~] percent-encoded: a path segment or query
    value that decodes to [s]. *)
