(** The canonical form: one segment, objects in preorder, no zero words or null pointers at the end
    of structs, no table (Cap'n Proto's encoding specification, "Canonicalization"). *)

val of_reader : Message.t -> 'a Reader.t -> string
(** [of_reader m r] is the canonical segment with [r] as its root.
    @raise Message.Error if [r] is malformed or holds a capability. *)

val of_message : Message.t -> string

val check : Message.t -> bool
(** [check m] is whether [m] is in canonical form. *)
