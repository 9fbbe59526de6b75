type t = { group : string; text : string; why : string option; hangs : bool; ask : Ask.t -> string }

let ask ?why ?(hangs = false) text ask = { group = ""; text; why; hangs; ask }
let group name questions = List.map (fun q -> { q with group = name }) questions
