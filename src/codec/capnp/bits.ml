type t = { length : int; bytes : string }

let empty = { length = 0; bytes = "" }
let length t = t.length
let bytes t = t.bytes

let get t i =
  if i < 0 || i >= t.length then invalid_arg "Bits.get";
  (Char.code (String.unsafe_get t.bytes (i lsr 3)) lsr (i land 7)) land 1 <> 0

(* Zeros after the last, so that equal lists have equal bytes. *)
let of_bytes b n =
  if n < 0 || (n + 7) lsr 3 <> Bytes.length b then invalid_arg "Bits.of_bytes";
  let rest = n land 7 in
  (if rest <> 0 then
     let last = n lsr 3 in
     Bytes.set_uint8 b last (Bytes.get_uint8 b last land ((1 lsl rest) - 1)));
  { length = n; bytes = Bytes.unsafe_to_string b }

let init n f =
  if n < 0 then invalid_arg "Bits.init";
  let b = Bytes.make ((n + 7) lsr 3) '\000' in
  for i = 0 to n - 1 do
    if f i then Bytes.set_uint8 b (i lsr 3) (Bytes.get_uint8 b (i lsr 3) lor (1 lsl (i land 7)))
  done;
  of_bytes b n

let of_list l =
  let rest = ref l in
  init (List.length l) (fun _ ->
      let v = List.hd !rest in
      rest := List.tl !rest;
      v)

let to_list t = List.init t.length (get t)
let to_seq t = Seq.init t.length (get t)
