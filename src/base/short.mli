(** Fast copies of short byte ranges. They use a few loads and stores; the C call of [Bytes.blit]
    costs more than copying 32 bytes. Bounds are not checked: the caller must check them. *)

val limit : int
(** The longest range that {!blit} copies: 32 bytes. *)

val blit : Bytes.t -> int -> Bytes.t -> int -> int -> unit
(** [blit src i dst j n] copies [n] bytes, at most {!limit}. The ranges must not overlap. *)

val copy : Bytes.t -> int -> Bytes.t -> int -> int -> unit
(** [copy src i dst j n] copies [n] bytes, any number. The ranges must not overlap. *)

val blit_string : string -> Bytes.t -> int -> int -> unit
(** [blit_string s dst j n] copies the first [n] bytes of [s], any number. *)

val sub : Bytes.t -> int -> int -> string
(** [sub src i n] is a copy of [n] bytes, any number. *)
