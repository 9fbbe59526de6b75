(** One protobuf message from a flow, larger than memory should hold: elements of repeated fields
    come one by one, what else is in it as a message at the end.

    Held are the bytes of one element, those of all other fields together, and what is read ahead.
    Elements are in the stream's order. *)

type ('m, 'e) element =
  | Each : ('m, 'a) Field.t * ('a -> 'e) -> ('m, 'e) element
      (** elements of this field are pulled, as what the function makes of them *)

type ('m, 'e) t

val create :
  ?limit:int ->
  ?length:int ->
  'm Weir_protobuf.Codec.t ->
  ('m, 'e) element list ->
  #Weir_flow.Flow.reader ->
  ('m, 'e) t
(** [create codec elements flow] reads the message that [flow] holds up to its end, or of [length]
    bytes: then no byte behind is taken. [limit] ({!Incoming.default_limit}) is how long a field may
    be, tag and all, and how long all that are not among [elements] together. Packed numbers are
    pulled one by one too, so a block of them may be of any length.
    @raise Invalid_argument if [elements] has a field twice. *)

type ('m, 'e) next =
  | Element of 'e
  | Rest of 'm
      (** the message has ended: all other fields, unknown ones too; a field of [elements] is empty
          in it *)

val next : ('m, 'e) t -> (('m, 'e) next, Weir_protobuf.Error.t) result
(** [next t] waits for the next element. Once it was [Rest] or an error it is always the same.
    Positions count from the message's first byte; where a field is cut off or too long, it is the
    field's beginning. An element that cannot be decoded is an error like all others.
    @raise Weir_flow.Flow.Error as the flow does. A cancelled call has taken nothing. *)

val iter : ('m, 'e) t -> ('e -> unit) -> ('m, Weir_protobuf.Error.t) result
(** [iter t f] calls [f] on each element that is left, and is the rest. *)
