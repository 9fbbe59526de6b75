(** Where an option of [weir run] applies: an address, a network or a name, a port, or all; or
    between two programs on a network that they share. *)

type place =
  | Everywhere
  | Network of Ipaddr.Prefix.t
  | Name of string  (** also [*.example.org] *)
  | Members of string * string  (** their names; [*] is all *)

type t = { place : place; port : int option }

val everywhere : t

val parse : names:bool -> string -> (t, string) result
(** [parse ~names s] reads [NETWORK[:PORT]], [:PORT], and with [names] also [NAME[:PORT]]. *)

val pp : Format.formatter -> t -> unit

val most_specific_first : t -> t -> int
(** Names come first, then longer prefixes; a port before none. Of members, two names come before
    one. *)

val covers : string -> string -> bool
(** [covers pattern name] is true if [pattern], a name or [*.NAME], is for [name]. *)

val matches : ?names:string list -> t -> Ipaddr.t -> port:int -> bool
(** [matches ~names t a ~port] is true if [t] is for [a], by which the program knows [names].
    Members match no address. *)
