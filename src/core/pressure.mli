(** The measures a host takes when its buffers come near [Config.memory]:

    - Writers wait: {!Tcb.starve}.
    - New SYNs are dropped; the peers send them again.
    - Windows do not grow, and a segment that needs more storage is dropped.
    - Connections that hold much memory and make little progress are reset with {!Tcb.No_memory},
      orphans first, then the largest, until a quarter of the memory is free. A connection that
      drains its buffers within about a second is not reset. *)

val relieve : Tcb.shared -> ((Tcb.t -> unit) -> unit) -> unit
(** [relieve s iter] frees memory and wakes the writers that wait for it. [iter] visits all
    connections. It runs again 100 ms later while any writer waits. *)
