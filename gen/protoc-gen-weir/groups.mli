(** Which top-level messages must be declared together in an interface. *)

type group = {
  names : string list;  (** full names of top-level messages and enums *)
  recursive : bool;  (** whether their modules name each other, or a nested one names out *)
}

val of_file : Schema.t -> Schema.file -> group list
(** [of_file s f] is the groups of [f]'s top level in an order where each names only earlier ones.
*)

val callers_first : Schema.message list -> Schema.message list
(** [callers_first messages] is them so ordered that one stands before those it has as fields,
    cycles apart. *)

type layer = {
  messages : Schema.message list;  (** {!callers_first} *)
  cyclic : bool;  (** whether they have themselves or each other as fields *)
}

val layers : Schema.message list -> layer list
(** [layers messages] is them in an order where each has only those of its own layer and of earlier
    ones as fields. *)

val references : Schema.t -> string -> (string list * string list) list
(** [references schema full_name] is all that a message and those within it refer to in their file:
    the modules of what refers and of what it refers to. *)
