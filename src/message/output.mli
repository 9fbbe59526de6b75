(** An output buffer that grows up to a bound and is reused. *)

type t

exception Too_long
(** A write went past {!limit}. *)

val create : ?size:int -> unit -> t
(** [create ()] is empty, with room for [size] bytes (default 1,024) and without a bound. *)

val length : t -> int

val bytes : t -> Bytes.t
(** [bytes t] holds the bytes written, from 0 to [length t], until the next change of [t]. *)

val limit : t -> int -> unit
(** [limit t n] bounds {!length} by [n] from now on. *)

val clear : t -> unit
(** [clear t] drops the bytes and the bound. A buffer above 64 KiB is freed. *)

val truncate : t -> int -> unit
(** [truncate t n] keeps only the first [n] bytes.
    @raise Invalid_argument if there are fewer. *)

val reserve : t -> int -> int
(** [reserve t n] makes [t] longer by [n] arbitrary bytes and is the offset of the first. The caller
    stores them in {!bytes}.
    @raise Too_long if that exceeds the bound; [t] is then unchanged. *)

val add : t -> Bytes.t -> off:int -> len:int -> unit
(** @raise Too_long as {!reserve}. *)

val add_string : t -> string -> unit
val add_byte : t -> int -> unit

val add_varint : t -> int -> unit
(** [add_varint t n] adds [n >= 0], as a protobuf varint: seven bits in each byte, the lowest first.
*)
