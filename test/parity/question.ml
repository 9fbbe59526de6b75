(* [why] Weir answers otherwise, if it does; [hangs], if someone's answer is that; [root], if the
   kernel answers otherwise to who is not the machine's root. *)
type t = {
  group : string;
  text : string;
  why : string option;
  hangs : bool;
  root : bool;
  ask : Ask.t -> string;
}

let ask ?why ?(hangs = false) ?(root = false) text ask = { group = ""; text; why; hangs; root; ask }
let group name questions = List.map (fun q -> { q with group = name }) questions

(* Of the accepted end of a connection, and the client's. *)
let on_pair ?why ?hangs text f =
  ask ?why ?hangs text (fun w ->
      let s, c = Ask.pair w in
      f w s c)
