type t = string

let none = ""
let is_none u = u = ""

external to_string : t -> string = "%identity"
external of_string : string -> t = "%identity"
