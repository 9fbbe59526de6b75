type t = { text : string; at : int }

let is_space c = c <= ' ' || c = '\127'
let is_mark = function '(' | ')' | '!' | '&' | '|' | '=' | '<' | '>' -> true | _ -> false
let double = [ "&&"; "||"; "=="; "!="; "<="; ">=" ]
let mark s at = if at + 1 < String.length s && List.mem (String.sub s at 2) double then 2 else 1

let rec run s at =
  if at = String.length s || is_space s.[at] || is_mark s.[at] then at else run s (at + 1)

let all s =
  let rec from at words =
    if at = String.length s then List.rev ({ text = ""; at } :: words)
    else if is_space s.[at] then from (at + 1) words
    else
      let stop = if is_mark s.[at] then at + mark s at else run s at in
      let text = String.lowercase_ascii (String.sub s at (stop - at)) in
      from stop ({ text; at } :: words)
  in
  from 0 []
