(** Protocols, and the numbers of the types of values in the compact protocol (Thrift compact
    protocol encoding, "Struct encoding"). That protocol also has the number 2, for false; here it
    is {!bool}. *)

type protocol = Binary | Compact

val bool : int
val i8 : int
val i16 : int
val i32 : int
val i64 : int
val double : int

val string : int
(** Also of [binary]. *)

val list : int
val set : int
val map : int
val struct_ : int
val uuid : int

(**/**)

val to_binary : string
val of_binary : string
