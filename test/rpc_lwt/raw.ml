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
