(** Checking UTF-8, eight bytes a step where the text is ASCII. *)

val valid : string -> int -> int -> bool
(** [valid s from len] is whether these bytes of [s] are well-formed UTF-8 (RFC 3629: no surrogates,
    no overlong forms). The range must be within [s]: it is not checked. *)

val plain : string -> int -> int -> int
(** [plain s p limit] is the first position from [p] on, or [limit], of a quote, a backslash or a
    control character: where a JSON string's ordinary characters end. *)

val text : string -> int -> int -> int
(** [text s p limit] is likewise, checked to be UTF-8: -1 if a character before is not, or is cut
    off by [limit]. [p] must be where a character begins. *)
