(** What the official conformance runner drives. Its protocol: on standard input and output, a
    four-byte little-endian length before each request and response. *)

val main : unit -> unit
(** [main ()] answers requests until standard input ends. *)
