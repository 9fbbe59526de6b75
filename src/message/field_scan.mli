(** Finds the ends of a protobuf message's fields (Protocol Buffers documentation, "Encoding") in
    the bytes received so far. It reads each byte of a group once, however the input is split. *)

type t

val create : unit -> t

val field : t -> Bytes.t -> off:int -> len:int -> Framing.extent
(** [field t b ~off ~len] is the extent of the field that begins at [off], from its tag on. Groups
    may nest 100 deep. [t] keeps its position in the field, so call it for the same field until
    {!restart}. *)

val restart : t -> unit
(** [restart t] prepares [t] for another field. *)

val number : wire:int -> Bytes.t -> off:int -> len:int -> Framing.extent
(** [number ~wire b ~off ~len] is the extent of a number of that wire type, without a tag. *)

val block : Bytes.t -> off:int -> len:int -> Framing.extent
(** [block b ~off ~len] is the extent of a tag and a length, without the bytes that the length
    counts. *)
