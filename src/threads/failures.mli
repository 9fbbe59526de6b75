(** The backtraces of recent failures of threads: a rejected Lwt promise has an exception but no
    backtrace. *)

val note : 'a Lwt.t -> exn -> Printexc.raw_backtrace -> unit
(** [note p e bt] stores that [p] was rejected with [e], raised at [bt]. Only the last 32 are kept,
    and none unless backtraces are recorded. *)

val backtrace : 'a Lwt.t -> exn -> Printexc.raw_backtrace option
(** [backtrace p e] is the backtrace stored for [p], or for the same [e] in another promise that
    passed it on. An exception without arguments is the same value at each raise, so only its
    promise identifies it. *)
