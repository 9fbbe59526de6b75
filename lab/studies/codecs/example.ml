type strings = string * string * string * string

let first = false
let second = true
let third = 12345678.117
let fourth = 234567

let fifth : strings list =
  [
    (String.make 1000 'A', "deuxieme", "", "");
    ("", "", String.make 500 'B', "quatrieme");
    ("premier", "deuxieme", "", "");
    ("", "", "troisieme", "quatrieme");
  ]

let sixth = [ 1234; 2345; 3456; 4567; 5678; 6789; 7890 ]
let absent s = if s = "" then None else Some s

let tally =
  let strings = List.concat_map (fun (a, b, c, d) -> [ a; b; c; d ]) fifth in
  let add = List.fold_left ( + ) in
  add
    (Bool.to_int first + Bool.to_int second + int_of_float third + fourth)
    (sixth @ List.map String.length strings)
