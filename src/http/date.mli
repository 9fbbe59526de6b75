(** HTTP dates (RFC 9110 §5.6.7). Instants are whole seconds since 1970-01-01 00:00 UTC. *)

val to_string : int -> string
(** [to_string s] is the preferred form, ["Sun, 06 Nov 1994 08:49:37 GMT"]; 29 bytes for the years 0
    to 9999, to which [s] is clamped. *)

val of_string : string -> int option
(** [of_string s] parses the preferred form, that of RFC 850 (["Sunday, 06-Nov-94 08:49:37 GMT"],
    with years 1970 to 2069) and that of asctime (["Sun Nov  6 08:49:37 1994"]). *)

val to_log : int -> string
(** [to_log s] is the form of access logs, ["06/Nov/1994:08:49:37 +0000"]. *)

val cached : (unit -> float) -> unit -> string
(** [cached now] is a function whose result is [to_string] of [now ()], made once a second. *)
