(** Memory that a crowd needed goes back to the system when the crowd has gone.

    OCaml's collector and C's allocator both keep what a program once had. So a server whose buffers
    held much, and hold little now, has its heap compacted and the free pages given back. That stops
    all domains for some milliseconds, in a quiet time; a host alone never does it. *)

type t

val create : Weir_core.Stack.t -> t
(** [create stack] watches the buffers of [stack]. *)

val period : Weir_base.Time.t
(** How often to look: every 5 s. *)

val look : t -> bool
(** [look t] gives memory back, and is [true], if the buffers of [t] hold less than half of what
    they held at most since that was last done, at least 8 MiB less, and no longer get rid of more.
*)
