(** nginx, which answers with {!Load.page} from a file, with a usual configuration: sendfile,
    keep-alive, no access log; and with one process, like the other subjects. *)

val serve : offload:bool -> unit
(** [serve ~offload] runs nginx in a {!Space.joined} namespace, with its files in a temporary
    folder, until a signal handler raises. It prints [ready] when nginx answers. *)

val unavailable : unit -> string option
(** [unavailable ()] is why nginx cannot run here; [None] if it can. *)
