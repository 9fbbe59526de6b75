type t = { partial : bool; longest : int }

let none = { partial = false; longest = 0 }
let local = { partial = true; longest = 65_535 }
