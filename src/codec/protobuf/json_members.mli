(** Passing from member to member of a message's JSON object: {!Json_in} says what each does. *)

val first : Json_cursor.t -> Json_keys.t -> int
val next : Json_cursor.t -> Json_keys.t -> int -> int
val index : int -> int
val seen : Json_keys.t -> Bytes.t
val first_of_many : Json_cursor.t -> Json_keys.t -> Bytes.t -> int
val next_of_many : Json_cursor.t -> Json_keys.t -> Bytes.t -> int -> int
