(** The text of a generated module and of its interface. *)

type t = { ml : Buffer.t; mli : Buffer.t }

val create : unit -> t

val ml : t -> ('a, unit, string, unit) format4 -> 'a
(** [ml t format …] appends to the module. *)

val mli : t -> ('a, unit, string, unit) format4 -> 'a
(** [mli t format …] appends to the interface. *)

val both : t -> ('a, unit, string, unit) format4 -> 'a
(** [both t format …] appends to both. *)
