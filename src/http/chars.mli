(** Classes of bytes and the small scanners made from them (RFC 9110 §5.6, RFC 3986 §2). *)

type cls
(** A set of bytes. *)

val token : cls
(** tchar: the bytes of methods, field names and most parameters. *)

val field_value : cls
(** HTAB, SP, visible ASCII and bytes above 0x7f: the bytes of a field value. *)

val target : cls
(** The bytes accepted in a request target: visible ASCII except [#]. This is wider than RFC 3986,
    because browsers send some of the bytes it excludes. *)

val blank : cls
(** SP and HTAB. *)

val digit : cls
val mem : cls -> char -> bool

val skip : cls -> Bytes.t -> int -> int -> int
(** [skip c b i stop] is the first index from [i] on whose byte is not in [c], or [stop]. [i] and
    [stop] must be within [b]; this is not checked. *)

val all : cls -> string -> bool
(** [all c s] is whether each byte of [s] is in [c]; true of the empty string. *)

val is_token : string -> bool
(** [is_token s] is whether [s] is one or more tchar. *)

val equal_caseless : string -> string -> bool
(** [equal_caseless a b] compares ASCII letters without regard to case. *)

val trim : string -> string
(** [trim s] is [s] without leading and trailing SP and HTAB. *)

val decimal : string -> int
(** [decimal s] is the value of [s], one or more decimal digits; [max_int] if the value is larger;
    -1 if [s] is anything else. *)

val hex : char -> int
(** [hex c] is the value of a hexadecimal digit, or -1. *)

val list_mem : string -> token:string -> bool
(** [list_mem s ~token] is whether the comma-separated list [s] has the element [token], in any case
    (RFC 9110 §5.6.1). *)
