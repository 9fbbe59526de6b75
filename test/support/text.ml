let contains s part =
  let n = String.length part in
  let rec at i = i + n <= String.length s && (String.sub s i n = part || at (i + 1)) in
  at 0

let random n =
  let r = Random.State.make [| n |] in
  String.init n (fun _ -> Char.unsafe_chr (Random.State.bits r land 255))
