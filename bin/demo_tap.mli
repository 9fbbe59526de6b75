(** The demo's last part: the kernel fetches the site over a TAP, in a network namespace of its own.
*)

val available : unit -> (unit, string) result
(** [available ()] is an error with the reason if this part cannot run here. *)

val child : unit -> int
(** [child ()] runs in a process of its own ([weir demo --in-namespace]). It prints a line
    [NAME|RESULT|DETAIL] for each check and is the exit status. *)

val run : unit -> (string * bool * string) list
(** [run ()] starts that process and returns its checks: name, success, detail. *)
