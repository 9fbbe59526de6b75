(** A host's network as an [Eio.Net.t] that outlives the host: each call goes to the life of the
    moment. While the host is off, calls raise [Connection_failure] with {!Machine.Host_down}. Names
    are those of the world's hosts, and what {!Weir_eio.Network} knows. *)

val of_machine : Machine.t -> [ `Generic | `Unix ] Eio.Net.ty Eio.Std.r
