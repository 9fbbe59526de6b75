(** What a host does when the storage of its buffers comes near [Config.memory].

    - Writers wait: {!Tcb.starve}.
    - New connections are not answered, so that their SYNs come again.
    - Windows are not raised, and a segment that needs more storage is dropped as if it had been
      lost.
    - Those who hold much and get rid of little of it are reset with {!Tcb.No_memory}, orphans
      first, then the largest, until a quarter is free: a connection that gets rid of what it holds
      within a second or so is spared. *)

val relieve : Tcb.shared -> ((Tcb.t -> unit) -> unit) -> unit
(** [relieve s iter] looks for memory, and wakes writers who starved if there is some; [iter] goes
    through all connections. It looks again 100 ms later while somebody starves. *)
