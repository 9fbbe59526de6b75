(* [why] Weir answers otherwise, if it does; [hangs], if someone's answer is that. *)
type t = { group : string; text : string; why : string option; hangs : bool; ask : Ask.t -> string }

let ask ?why ?(hangs = false) text ask = { group = ""; text; why; hangs; ask }
let group name questions = List.map (fun q -> { q with group = name }) questions

(* Of the accepted end of a connection, and the client's. *)
let on_pair ?why ?hangs text f =
  ask ?why ?hangs text (fun w ->
      let s, c = Ask.pair w in
      f w s c)
