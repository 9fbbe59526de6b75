(** Copies of runs of bytes, most of them short: a few loads and stores instead of the call to C
    that [Bytes.blit] makes, which costs more than copying 32 bytes does. Nothing here checks
    bounds: who calls has. *)

val limit : int
(** The longest run that is short: 32. *)

val blit : Bytes.t -> int -> Bytes.t -> int -> int -> unit
(** [blit src i dst j n] copies [n] bytes, at most {!limit}, that do not overlap. *)

val copy : Bytes.t -> int -> Bytes.t -> int -> int -> unit
(** [copy src i dst j n] copies [n] bytes, however many, that do not overlap. *)

val blit_string : string -> Bytes.t -> int -> int -> unit
(** [blit_string s dst j n] copies the first [n] bytes of [s], however many. *)

val sub : Bytes.t -> int -> int -> string
(** [sub src i n] is a copy of [n] bytes, however many. *)
