(* Packets made by hand. *)

let frame s =
  let b = Bytes.create 4 in
  Bytes.set_int32_be b 0 (Int32.of_int (String.length s));
  Bytes.to_string b ^ s

let hello = "\000WEIR\001\x80\x80\x04\x10"

let rec varint n =
  if n < 128 then String.make 1 (Char.chr n)
  else String.make 1 (Char.chr (n land 127 lor 128)) ^ varint (n lsr 7)

let call id name request =
  "\001" ^ varint id ^ "\000" ^ varint (String.length name) ^ name ^ request

(* With streams: 1 of requests, 2 of responses, 3 of both. *)
let hello_with_window = hello ^ varint 4_096

let open_ id name shape request =
  "\006" ^ varint id ^ "\000" ^ varint (String.length name) ^ name ^ varint shape ^ request

let item id s = "\007" ^ varint id ^ s
let end_ id = "\008" ^ varint id
let credit id n = "\009" ^ varint id ^ varint n
