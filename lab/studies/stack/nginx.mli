(** nginx, answering {!Load.page} from a file, as it is usually set up for that: sendfile,
    keep-alive, no access log; one process, like the others. *)

val serve : offload:bool -> unit
(** [serve ~offload] runs it in a {!Space.joined} namespace, its files in a temporary folder, until
    a signal's handler raises; says [ready] once it answers. *)

val unavailable : unit -> string option
(** [unavailable ()] is why it cannot run here. *)
