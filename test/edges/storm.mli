(** A server in two domains, by [Eio.Net.run_server ~additional_domains:1]: every byte is checked.
*)

val run : Ends.t -> _ Eio.Domain_manager.t -> connections:int -> each:int -> large:int -> unit
(** [run w domains ~connections ~each ~large] has 64 clients at a time fetch [each] bytes a
    connection, and [large] on four. Both domains must have served. *)
