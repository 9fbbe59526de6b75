type t = { partial : bool; longest : int; gathers : bool }
type by_family = { v4 : t; v6 : t }

let none = { partial = false; longest = 0; gathers = false }
let local = { partial = true; longest = 65_535; gathers = false }
let both o = { v4 = o; v6 = o }
let of_family { v4; v6 } ip = if Weir_wire.Ip.is_v4 ip then v4 else v6
