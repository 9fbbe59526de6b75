(* The message of the data devices, which return it in small pieces and record what is written. *)

let size = 4096
let chunk = 10
let text = String.init size (fun i -> Char.chr (32 + (i * 31 mod 95)))
let bytes = Bytes.of_string text
let cstruct = Cstruct.of_string text

exception Damaged

let check_bytes recorded length =
  if length <> size || not (Bytes.equal recorded bytes) then raise Damaged

let check_cstruct recorded length =
  if length <> size || not (Cstruct.equal recorded cstruct) then raise Damaged
