(** Finds where the fields of a protobuf message end (Protocol Buffers documentation, "Encoding"),
    in the bytes received so far. It looks at each byte of a group once, wherever the input is
    split. *)

type t

val create : unit -> t

val field : t -> Bytes.t -> off:int -> len:int -> Framing.extent
(** [field t b ~off ~len] is the extent of the field that begins at [off], from its tag on. Groups
    may nest 100 deep. [t] remembers how far it got, so until {!restart} it must be called for the
    same field. *)

val restart : t -> unit
(** [restart t] says that the next field is another one. *)

val number : wire:int -> Bytes.t -> off:int -> len:int -> Framing.extent
(** [number ~wire b ~off ~len] is the extent of a number without tag of that wire type. *)

val block : Bytes.t -> off:int -> len:int -> Framing.extent
(** [block b ~off ~len] is the extent of a tag and the length after it, without the bytes that this
    length counts. *)
