(** The threads study's last part: what a request costs an HTTP server over Lwt whose session is a
    thread ([fiber]: {!Weir_http_lwt.Server}), and one that binds promises ([lwt]:
    {!Weir_lab_rivals.Http_bound}). Both turn the same machine for a client in memory, whose bytes
    come only when the server waits for them. *)

open Weir_lab_harness

type t

val run : quick:bool -> t
val rows : t -> Row.t list

val table : t -> string * string
(** A caption, and time and words for a request. *)

val conclusion : t -> string

val targets : t -> Study.target list
(** A thread takes at most a tenth more time than binds. *)

val warnings : t -> string list
