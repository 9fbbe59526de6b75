(** Where recent failures of threads came from: Lwt's promises carry an exception but no backtrace.
*)

val note : 'a Lwt.t -> exn -> Printexc.raw_backtrace -> unit
(** [note p e bt] remembers that [p] was rejected with [e], raised at [bt]. It holds the last 32
    only, and none unless backtraces are recorded. *)

val backtrace : 'a Lwt.t -> exn -> Printexc.raw_backtrace option
(** [backtrace p e] is what was noted for [p], or for this very [e] in whatever promise it was
    passed on by. An exception without arguments is one value wherever it is raised, so it is found
    by its promise only. *)
