(** A host's network as an [Eio.Net.t] that outlives the host: each call goes to the host's present
    life. While the host is off, calls raise [Connection_failure] with {!Machine.Host_down}. It
    resolves the names of the world's hosts, and those that {!Weir_eio.Network} resolves. *)

val of_machine : Machine.t -> [ `Generic | `Unix ] Eio.Net.ty Eio.Std.r
