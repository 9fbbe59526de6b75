(** The exception that a server answers with when it cannot answer with a result. *)

type t = { message : string; kind : int }

exception E of t

val unknown_method : int
val missing_result : int
val internal_error : int
val protocol_error : int
val write : Writer.t -> t -> unit
val read : Reader.t -> t
