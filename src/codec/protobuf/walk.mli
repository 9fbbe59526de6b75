(** Reading any message by its descriptor alone: what JSON and text print. Fields come as slices of
    the encoding, grouped as decoding would merge them. *)

type slice = { source : string; first : int; last : int }
(** The bytes of one value: a number as encoded, a string's or message's contents. *)

type found = {
  field : Descriptor.field;
  extension : string;  (** its full name, or [""] *)
  values : slice list;  (** not empty; one if the field is singular *)
}

type unknown = { number : int; wire : int; value : slice }

val message : Registry.t -> Descriptor.message -> slice -> depth:int -> found list * unknown list
(** [message types m s ~depth] is the fields set in [s], ordered by number, extensions known to
    [types] last, and what is unknown, in order.
    @raise Error.Error if [s] is malformed. *)

val whole : string -> slice
val contents : slice -> string
val int32 : slice -> int
val uint32 : slice -> int
val sint32 : slice -> int
val bool : slice -> bool
val int64 : slice -> int64
val sint64 : slice -> int64
val fixed32 : slice -> int
val sfixed32 : slice -> int
val fixed64 : slice -> int64
val float : slice -> float
val double : slice -> float

val unknown_fields : slice -> unknown list
(** [unknown_fields s] is all fields of [s], read without a schema.
    @raise Error.Error if [s] is malformed. *)
