(** Writes to a flow a protobuf message that is too large for memory: elements of repeated fields
    one by one, other fields as messages. Each call makes one write; nothing is buffered. Fields may
    be written in any order. *)

type 'm t

val create : ?limit:int -> 'm Weir_protobuf.Codec.t -> #Weir_flow.Flow.writer -> 'm t
(** [create codec flow] writes a message; each element, and each message of {!merge}, may have at
    most [limit] bytes (default {!Incoming.default_limit}). No length is written before the message:
    it ends with the stream, or its reader must know the length. The caller closes the flow. *)

val add : 'm t -> ('m, 'a) Field.t -> 'a -> unit
(** [add t field v] writes [v] as the next element of [field], with a tag of its own even if the
    field is packed: every protobuf reader must accept both forms.
    @raise Invalid_argument if [v] has no encoding: nothing is then written.
    @raise Weir_flow.Flow.Error as {!Writer.send}. *)

val merge : 'm t -> 'm -> unit
(** [merge t m] writes the fields that are set in [m]. For the message's reader, a singular field
    replaces an earlier value, and elements of a repeated field come after the earlier ones. *)
