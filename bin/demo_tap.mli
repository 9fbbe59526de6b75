(** The demo's last part: the kernel fetches the site over a TAP, in a network namespace of its own.
*)

val available : unit -> (unit, string) result
(** [available ()] says why not, if it cannot be run here. *)

val child : unit -> int
(** [child ()] runs in a process of its own ([weir demo --in-namespace]): it prints a line
    [NAME|RESULT|DETAIL] a check; its value is the exit status. *)

val run : unit -> (string * bool * string) list
(** [run ()] starts such a process and gives its checks: name, whether it went well, detail. *)
