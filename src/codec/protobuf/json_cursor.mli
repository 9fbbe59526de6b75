(** Where {!Json_in} is in its text. *)

type extensions = {
  bytes : Buffer.t;  (** encoded *)
  numbers : int list ref;  (** so that none comes twice *)
}
(** The extensions that a message has shown so far. *)

type t = {
  s : string;
  limit : int;  (** the length of [s] *)
  mutable pos : int;
  mutable depth : int;  (** how many more levels are allowed *)
  mutable extensions : extensions option;  (** of the innermost message that takes any *)
  mutable memory : int;  (** words that values may still take *)
  types : Registry.t;
  ignore_unknown : bool;
}

val make : ?memory:int -> Registry.t -> ignore_unknown:bool -> string -> t

val spend : t -> int -> unit
(** [spend r words] takes from [r.memory]; it fails where that is too little. *)

val at : t -> int -> char
(** [at r p] is the character at [p]; ['\000'] from the end on. *)

val space : t -> int -> int
(** [space r p] is where white space from [p] on ends. *)

val fail : t -> int -> string -> 'a
(** [fail r p reason] fails at [p], for [reason] or because the text ends there. *)

val finish : t -> unit
