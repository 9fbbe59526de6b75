(** Reads from a flow a protobuf message that is too large for memory: the elements of chosen
    repeated fields one by one, and all other fields as one message at the end. The reader holds the
    bytes of one element, those of all other fields together, and those read ahead. Elements come in
    the stream's order. *)

type ('m, 'e) element =
  | Each : ('m, 'a) Field.t * ('a -> 'e) -> ('m, 'e) element
      (** {!next} returns the elements of this field, converted by the function *)

type ('m, 'e) t

val create :
  ?limit:int ->
  ?length:int ->
  'm Weir_protobuf.Codec.t ->
  ('m, 'e) element list ->
  #Weir_flow.Flow.reader ->
  ('m, 'e) t
(** [create codec elements flow] reads the message that ends with [flow], or that has [length]
    bytes; then it reads no byte after the message. [limit] (default {!Incoming.default_limit})
    bounds the bytes of each field, its tag included, and the sum of all fields that are not in
    [elements]. Packed numbers of [elements] are also returned one by one, and a block of them may
    have any length.
    @raise Invalid_argument if [elements] has a field twice. *)

type ('m, 'e) next =
  | Element of 'e
  | Rest of 'm
      (** the message has ended; this is a message with all other fields, unknown ones included. The
          fields of [elements] are empty in it *)

val next : ('m, 'e) t -> (('m, 'e) next, Weir_protobuf.Error.t) result
(** [next t] waits for the next element. After [Rest] or an error, it returns the same again. An
    error's position is counted from the message's first byte. For a field that is cut off or too
    long, it is where the field begins. An element that cannot be decoded ends the message, like
    every other error.
    @raise Weir_flow.Flow.Error as the flow does. A cancelled call loses no bytes. *)

val iter : ('m, 'e) t -> ('e -> unit) -> ('m, Weir_protobuf.Error.t) result
(** [iter t f] calls [f] on each remaining element, and returns the message of {!constructor-Rest}.
*)
