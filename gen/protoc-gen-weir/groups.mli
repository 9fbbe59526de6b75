(** Which top-level messages must be declared together in an interface. *)

type group = {
  names : string list;  (** full names of top-level messages and enums *)
  recursive : bool;
      (** their modules refer to each other, or a nested module refers to an outer one *)
}

val of_file : Schema.t -> Schema.file -> group list
(** [of_file s f] is the groups of the top level of [f], ordered so that each refers only to earlier
    ones. *)

val callers_first : Schema.message list -> Schema.message list
(** [callers_first messages] is the messages, ordered so that each comes before the messages of its
    fields, except in cycles. *)

type layer = {
  messages : Schema.message list;  (** {!callers_first} *)
  cyclic : bool;  (** they have themselves or each other as fields *)
}

val layers : Schema.message list -> layer list
(** [layers messages] is the messages in layers: the fields of a message have messages of its own or
    earlier layers only. *)

val references : Schema.t -> string -> (string list * string list) list
(** [references schema full_name] is the references within the file from a message and the messages
    nested in it: pairs of the module that refers and the module it refers to. *)
