(** Byte streams in direct style. A function asks for the least it uses: [#reader], [#writer] or
    [#flow]. *)

class virtual reader : object
  method virtual read_into : Bytes.t -> off:int -> len:int -> int
end

class virtual writer : object
  method virtual write : Bytes.t -> off:int -> len:int -> unit
end

class virtual flow : object
  inherit reader
  inherit writer
end

val read_into : #reader -> Bytes.t -> off:int -> len:int -> int
(** [read_into r b ~off ~len] waits until at least one byte is there and stores at most [len] of
    them; the number stored, or 0 at the end of the stream. [b] is the caller's again on return. *)

val write : #writer -> Bytes.t -> off:int -> len:int -> unit
(** [write w b ~off ~len] returns when the flow has taken all the bytes; [b] is then the caller's
    again. *)

val write_string : #writer -> string -> unit
