(** JSON to messages by their descriptors: to their encodings. *)

val message :
  Registry.t ->
  ignore_unknown:bool ->
  Json_lexer.t ->
  Descriptor.message ->
  depth:int ->
  Buffer.t ->
  unit
(** [message types ~ignore_unknown t m ~depth b] reads one value of type [m] and appends its
    encoding to [b]. Fields go by their JSON names or the schema's.
    @raise Error.Error if it is not one, with the path to where. *)
