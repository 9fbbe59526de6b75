(** A repeated field of a protobuf message whose elements are read or written one by one, by
    {!Field_reader} and {!Field_writer}, because the message is too large for memory.

    Its name is that of the schema. The functions below raise [Invalid_argument] if the message has
    no repeated field of that name and type. Maps and extensions do not count as repeated fields. *)

type ('m, 'a) t
(** A field of a message ['m] with elements ['a]. *)

val message : 'm Weir_protobuf.Codec.t -> string -> 'a Weir_protobuf.Codec.t -> ('m, 'a) t
(** [message Address_book.codec "people" Person.codec] is the field [people], whose elements are
    messages. *)

val text : 'm Weir_protobuf.Codec.t -> string -> ('m, string) t
(** [text c name] is a field of kind [string] or [bytes]. *)

val bool : 'm Weir_protobuf.Codec.t -> string -> ('m, bool) t

val int : 'm Weir_protobuf.Codec.t -> string -> ('m, int) t
(** [int c name] is a field of 32-bit integers, or of an enum, whose values are given as numbers. *)

val int64 : 'm Weir_protobuf.Codec.t -> string -> ('m, int64) t
(** [int64 c name] is a field of 64-bit integers. An unsigned number is the [int64] with the same
    bits. *)

val float : 'm Weir_protobuf.Codec.t -> string -> ('m, float) t
(** [float c name] is a field of kind [float] or [double]. *)

(** {1 For {!Field_reader} and {!Field_writer}} *)

val descriptor : ('m, 'a) t -> Weir_protobuf.Descriptor.field

val decode : ('m, 'a) t -> string -> int -> int -> 'a
(** [decode f s from until] is the element whose value, without tag and length, is the bytes of [s]
    from [from] to before [until].
    @raise Weir_protobuf.Error.Error with a position in [s].
    @raise Invalid_argument if the range is not within [s]. *)

val encode : ('m, 'a) t -> Output.t -> 'a -> unit
(** [encode f out v] adds [v] with its tag.
    @raise Invalid_argument if [v] has no encoding: a number that does not fit, text not in UTF-8.
*)
