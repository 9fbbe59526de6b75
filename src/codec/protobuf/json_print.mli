(** Messages to JSON by their descriptors, from their encodings. *)

val message : Registry.t -> Buffer.t -> Descriptor.message -> Walk.slice -> depth:int -> unit
(** [message types b m s ~depth] appends the JSON of [s], an encoding of [m].
    @raise Error.Error
      where a well-known type holds what its JSON cannot say, or an Any a type that [types] does not
      know or contents that are none. *)

val string : Buffer.t -> string -> unit
(** [string b s] appends [s] quoted.
    @raise Error.Error if it is not UTF-8. *)

val any_type : Registry.t -> string -> Descriptor.message
(** [any_type types url] is the message that an Any's type URL names.
    @raise Error.Error if it names none. *)

val number_text : Descriptor.kind -> Walk.slice -> string
(** [number_text k v] is the decimal digits of a whole number of kind [k], or a bool's name.
    @raise Invalid_argument for other kinds. *)

val escape : char -> string
(** [escape c] is how a quote, a backslash or a control character stands in a string. *)

val any_message : Registry.t -> Descriptor.message -> string -> string
(** [any_message types m s] is {!message} of a whole encoding, as a string. *)
