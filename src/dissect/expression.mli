(** The syntax tree of a filter, which {!Filter} parses. *)

type comparison = Equal | Different | Less | Less_or_equal | Greater | Greater_or_equal
type direction = Source | Destination | Either
type network = { ip : Weir_wire.Ip.t; bits : int  (** of the prefix *) }

type literal =
  | Is_number of int
  | Is_flag of bool
  | Is_within of network
  | Is_mac of Weir_wire.Mac.t

type t =
  | All of t list  (** true for the empty list *)
  | Any of t list
  | Not of t
  | Protocol of Fields.protocol
  | Within of direction * network
  | Port of direction * int * int  (** the lowest and the highest *)
  | Has of Fields.t
  | Compare of Fields.t * comparison * literal

val matches : t -> Dissection.t -> bool
(** [matches t d] is whether [d] matches [t]. A comparison with a literal of another kind is false.
*)
