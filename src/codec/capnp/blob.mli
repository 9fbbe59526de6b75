(** Text and data where they lie. *)

type t [@@immediate]

val empty : t

val length : t -> int
(** [length t] in bytes; a text's final zero byte is not counted. *)

val get : Message.t -> t -> int -> char
(** @raise Invalid_argument outside 0 to [length t - 1]. *)

val offset : Message.t -> t -> int
(** [offset m t] is where the bytes begin in [m.buf]. *)

val to_string : Message.t -> t -> string
(** [to_string m t] is a copy. *)

val blit : Message.t -> t -> Bytes.t -> off:int -> unit
(** [blit m t b ~off] copies [length t] bytes.
    @raise Invalid_argument if they do not fit. *)

val equal : Message.t -> t -> string -> bool
(** [equal m t s] compares without copying. *)

(**/**)

val of_handle : int -> t

val copy : Message.t -> t -> string
(** [copy m t] is [to_string m t], counted as memory that reading takes. *)
