(** The members of a message's JSON object: what generated code asks by index.

    A member's index is its field's place in the descriptor, by number. *)

type t = {
  message : Descriptor.message;
  count : int;
  pieces : string array;  (** what stands before a value, as [,"name":] *)
  slots : string;  (** [slot_size] bytes a member, see {!slot_size} *)
  lengths : int array;  (** of the pieces *)
  places : int array;  (** a number that a field shares only with others of its oneof *)
  marks : int array;  (** the index, and above [index_bits] the bit of the place *)
  takes_null : bool array;  (** null is a value of the field, not its absence *)
  by_name : (string, int) Hashtbl.t Lazy.t;  (** every name that is read *)
}

val make : Descriptor.message -> t

val slot_size : int
(** A slot is the first 16 bytes of the piece, filled up with zeros, and a word that masks what of
    it is within 8 bytes behind the comma. *)

val index_bits : int

val bits : int
(** How many places have their bits in a mark; those beyond have none. *)

val find : t -> string -> int
(** [find t name] is the index of the field whose JSON or own name is [name]; -1 if there is none.
*)

val takes_null : Descriptor.kind -> bool
(** [takes_null k] is whether null is a value of kind [k]. *)

val answers_to : string -> Descriptor.field -> bool
(** [answers_to name f] is whether [name] is among {!other_names}, none of which is made. *)

val other_names : Descriptor.field -> string list
(** [other_names f] is what [f] may be called beside its JSON name, which goes before any other
    field's. *)
