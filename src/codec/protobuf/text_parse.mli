(** Text to messages by their descriptors: to their encodings. *)

val message : Registry.t -> Text_lexer.t -> Descriptor.message -> depth:int -> Buffer.t -> unit
(** [message types t m ~depth b] reads fields of [m] to the end of the text and appends their
    encoding to [b].
    @raise Error.Error if they are not such, with the path to where. *)
