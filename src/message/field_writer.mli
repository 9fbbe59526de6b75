(** One protobuf message onto a flow, larger than memory should hold: elements of repeated fields
    one by one, other fields as messages. Each is one write, and nothing is kept. In what order they
    come does not matter, but for elements of one field. *)

type 'm t

val create : ?limit:int -> 'm Weir_protobuf.Codec.t -> #Weir_flow.Flow.writer -> 'm t
(** [create codec flow] writes a message of which no part is longer than [limit] bytes
    ({!Incoming.default_limit}). It has no prefix, and ends with the stream or where its reader
    knows. The flow stays the caller's. *)

val add : 'm t -> ('m, 'a) Field.t -> 'a -> unit
(** [add t field v] writes [v] as the next element of [field]; also a packed field's with its tag,
    which readers of either form must take.
    @raise Invalid_argument if [v] has no encoding: nothing is then written.
    @raise Weir_flow.Flow.Error as {!Writer.send}. *)

val merge : 'm t -> 'm -> unit
(** [merge t m] writes what is set in [m]: for its reader singular fields replace what came before,
    elements go behind it. *)
