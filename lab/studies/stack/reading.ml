type t = { metric : string; unit_ : string; value : float }

let make metric unit_ value = { metric; unit_; value }
let print r = Printf.printf "reading %s %s %.17g\n%!" r.metric r.unit_ r.value

let of_line s =
  match String.split_on_char ' ' s with
  | [ "reading"; metric; unit_; value ] ->
      Option.map (make metric unit_) (float_of_string_opt value)
  | _ -> None
