(** The threads study's last part: what a request costs an HTTP server over Lwt whose session is a
    thread ([fiber]: {!Weir_http_lwt.Server}), and one that binds promises ([lwt]:
    {!Weir_lab_rivals.Http_bound}). Both run the same protocol code. The client is in memory, and
    its bytes come only when the server waits for them. *)

open Weir_lab_harness

type t

val parts : Session.part list
val of_results : Session.results -> t
val rows : t -> Row.t list

val table : t -> string * Table.t
(** A caption, and time and words for a request. *)

val conclusion : t -> string

val targets : t -> Study.target list
(** A session as a thread takes at most a tenth more time than one that binds. *)
