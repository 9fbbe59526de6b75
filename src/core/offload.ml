type t = { partial : bool; longest : int; gathers : bool }

let none = { partial = false; longest = 0; gathers = false }
let local = { partial = true; longest = 65_535; gathers = false }
