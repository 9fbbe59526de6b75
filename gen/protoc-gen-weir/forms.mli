(** The plugin's options that give fields other types than lists and strings. *)

type t

val none : t

val option : t -> string -> t option
(** [option t o] is [t] with the option [o], if it is one of these:
    - [repeated=array]: repeated numbers and booleans are arrays;
    - [repeated=slice]: the same, and those of fixed width are slices of the decoded input;
    - [array=NAME]: the same for one field, message or package, by its full name;
    - [bytes=slice], [string=slice]: values are slices of the decoded input;
    - [slice=NAME]: the same for the strings, bytes and repeated numbers of fixed width of one
      field, message or package. *)

val known : string
(** The names of the options, for error messages. *)

val field : t -> string -> Model.field -> Model.field
(** [field t name f] is [f], whose full name is [name], in the requested form. *)
