(* js weir-js.int53 *)
let () =
  let hour = 3_600 * 1_000_000_000 in
  assert (string_of_int (hour + 1) = "3600000000001" && (hour lsl 8) lsr 8 = hour)
