(** How many words reading takes for each field of a message. {!Unfolding} uses this table. *)

type entry = {
  wire : int;  (** how one value is written *)
  each : int;  (** a value, without a text's own words *)
  saved : int;  (** words that a number of one byte does not take: its box is shared *)
  block : int;  (** a packed number; 0 if the field is not to be packed *)
  cells : int;  (** what each number takes again when another block comes *)
  known : (int, unit) Hashtbl.t option;  (** a closed enum's numbers: others are kept aside *)
  inner : table option;
  single : bool;  (** a message that is merged if it comes again *)
  form : Descriptor.form;
  fixed : int;  (** an array, without its numbers *)
  run : bool;  (** numbers that come in a row are one block, each with its tag *)
}

and table = {
  mutable entries : entry option array;  (** by number *)
  record : int;  (** a message's own words *)
  arrays : int;  (** of its arrays, without numbers *)
  mutable message : int;  (** the most words of any message inside; set by {!measured} *)
  mutable byte : int;  (** the most words of a byte of packed numbers; likewise *)
  mutable again : int;  (** how many times the allocated words may count when a message ends *)
  mutable safe : int;  (** input of up to this many bytes cannot exceed the default limit *)
}

type Descriptor.unfolding += Measured of table

val allowance : int
(** What any input may take, in words. *)

val growing : int
(** A number of an array that grows. *)

val slice : int

val aside : int
(** A number that a closed enum does not know. *)

val piece : int
(** A message that came before: where it stands, and its copy. *)

val table : Descriptor.message -> table
(** [table m] is made once, and kept in the descriptor. *)

val measured : Descriptor.message -> table
(** [measured m] is the same, with all fields set, for a type that programs decode. *)
