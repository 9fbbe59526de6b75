(** Messages to text by their descriptors, from their encodings. *)

val message :
  Registry.t ->
  unknown:bool ->
  Buffer.t ->
  indent:int ->
  Descriptor.message ->
  Walk.slice ->
  depth:int ->
  unit
(** [message types ~unknown b ~indent m s ~depth] appends the fields of [s], an encoding of [m], a
    line each; with [unknown] also those that [m] does not have, by number. *)
