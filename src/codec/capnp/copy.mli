(** Deep copies from a message into a builder; {!Any} and {!Canonical} are made of it. Stack and
    output are bounded by the message's depth and traversal limits. *)

val pointer : canonical:bool -> Message.t -> int -> int -> Builder.t -> int -> unit
(** [pointer ~canonical m p depth b dst] copies what word [p] of [m] points to under word [dst]. *)

val struct_ :
  canonical:bool -> Message.t -> int -> Builder.t -> int -> data:int -> pointers:int -> unit
