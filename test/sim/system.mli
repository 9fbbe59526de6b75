(** The system's own network, which a suite in JavaScript has not. *)

val run : ([ `Generic | `Unix ] Eio.Net.ty Eio.Std.r -> 'a) -> 'a
(** [run f] is [f net] under the system's backend of Eio. *)
