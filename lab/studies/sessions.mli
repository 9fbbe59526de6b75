(** The last part of the threads study: the cost of a request to an HTTP server over Lwt whose
    session is a thread ([fiber]: {!Weir_http_lwt.Server}), and to one that binds promises ([lwt]:
    {!Weir_lab_rivals.Http_bound}). Both use the same protocol code. The client is in memory and
    supplies bytes only when the server waits for them. *)

open Weir_lab_harness

type t

val parts : Session.part list
val of_results : Session.results -> t
val rows : t -> Row.t list

val table : t -> string * Table.t
(** A caption, and a table of time and words for a request. *)

val conclusion : t -> string

val targets : t -> Study.target list
(** The target: a session as a thread takes at most 10% more time than one that binds. *)
