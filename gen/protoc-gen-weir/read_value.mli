(** One value of a field: the code that reads it. *)

type t = { before : string list; value : string; next : string }
(** What is to be bound before; the value, read at [p]; the position behind it. *)

val tag : Schema.field -> int -> int
(** [tag f wire] is the tag of [f] with this wire type. *)

val wire_type : Schema.kind -> int

val value : Ocaml.place -> number:int -> init:string -> Schema.kind -> t
(** [value p ~number ~init kind] reads field [number]; [init] is what a message is read into. *)

val is_message : Schema.kind -> bool

val message_name : Schema.kind -> string
(** [message_name kind] is its message's full name; it raises [Invalid_argument] if it has none. *)

val is_closed : Ocaml.place -> Schema.kind -> bool
(** [is_closed p kind] is whether it is an enum that is closed. *)
