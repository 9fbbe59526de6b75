(** JSON to messages by their descriptors: to their encodings. What is made on the way is charged by
    {!Json_cursor.spend}. *)

val message : Json_cursor.t -> Descriptor.message -> depth:int -> Buffer.t -> unit
(** [message t m ~depth b] reads one value of type [m] and appends its encoding to [b]. Fields go by
    their JSON names or the schema's.
    @raise Error.Error if it is not one; the path is {!Json_trail}'s to find. *)

val member :
  Json_cursor.t -> Descriptor.message -> int list ref -> depth:int -> Buffer.t -> string -> unit
(** [member t m seen ~depth b name] reads the value of one member of a message [m], unless it is
    among [seen]. *)

val is_special : string -> bool
(** [is_special name] is whether the message of this full name has JSON of its own. *)

val is_only_field : string -> bool
(** [is_only_field name] is whether its JSON is that of its only field. *)

val value_number : char -> int
(** [value_number c] is the number of the [google.protobuf.Value] field whose JSON begins with [c].
*)

val find_field : Registry.t -> Descriptor.message -> string -> Descriptor.field option
(** The field, or extension in brackets, of a member's name. *)
