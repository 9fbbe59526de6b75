(** Which fields have another type than lists and strings, as the plugin's options say. *)

type t

val none : t

val option : t -> string -> t option
(** [option t o] is [t] and what option [o] asks for, if it is one of these:
    - [repeated=array]: repeated numbers and booleans are arrays;
    - [array=NAME]: those of a field, a message or a package are, by its full name;
    - [bytes=slice], [string=slice]: values are slices of what was decoded;
    - [slice=NAME]: strings and bytes of a field, a message or a package are. *)

val known : string
(** The options, for a message about others. *)

val field : t -> string -> Model.field -> Model.field
(** [field t name f] is [f], of that full name, in the form asked for. *)
