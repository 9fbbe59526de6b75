(** Bytes being made: room that grows, up to a bound, and is used again. *)

type t

exception Too_long
(** More was written than {!limit} allows. *)

val create : ?size:int -> unit -> t
(** [create ()] is empty, with room for [size] bytes (1,024) and no bound. *)

val length : t -> int

val bytes : t -> Bytes.t
(** [bytes t] holds what was written, from 0 to [length t]; until the next change. *)

val limit : t -> int -> unit
(** [limit t n] bounds {!length} by [n] from now on. *)

val clear : t -> unit
(** [clear t] forgets what was written, and the bound. Room above 64 KiB is given back. *)

val truncate : t -> int -> unit
(** [truncate t n] forgets all but the first [n] bytes.
    @raise Invalid_argument if there are not so many. *)

val reserve : t -> int -> int
(** [reserve t n] makes [t] longer by [n] arbitrary bytes and is the offset of the first: to be
    stored in {!bytes}.
    @raise Too_long if that passes the bound; [t] is then as it was. *)

val add : t -> Bytes.t -> off:int -> len:int -> unit
(** @raise Too_long as {!reserve}. *)

val add_string : t -> string -> unit
val add_byte : t -> int -> unit

val add_varint : t -> int -> unit
(** [add_varint t n] adds [n >= 0], seven bits a byte, the lowest first, as protobuf does. *)
