(** Percent-encoding (RFC 3986 §2.1). *)

val decode : string -> string option
(** [decode s] is [s] with each [%XY] replaced by its byte, once; [None] if a [%] is not followed by
    two hexadecimal digits. *)

val encode : string -> string
(** [encode s] is [s] with every byte percent-encoded except letters, digits and [-._~]: a path
    segment or query value that decodes to [s]. *)
