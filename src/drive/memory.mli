(** Returns memory to the system after a peak of connections.

    OCaml's collector and C's allocator keep freed memory. When a server's buffers have become much
    smaller, this module compacts the heap and returns the free pages. That stops all domains for
    some milliseconds, at a quiet time. A host never does it by itself. *)

type t

val create : Weir_core.Stack.t -> t
(** [create stack] watches the buffers of [stack]. *)

val period : Weir_base.Time.t
(** How often to call {!look}: every 5 s. *)

val look : t -> bool
(** [look t] returns memory and is [true] if the buffers of [t] are below half of their peak since
    the last time, at least 8 MiB below it, and no longer shrinking. *)
