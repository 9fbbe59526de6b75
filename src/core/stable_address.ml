open Weir_wire

type secret = string

let label = "weir stable addresses"

(* Hashed, so that addresses made from it do not reveal the generator's state. *)
let secret random : secret =
  let random = Random.State.copy random in
  Digest.BLAKE256.string (label ^ String.init 32 (fun _ -> Char.chr (Random.State.int random 256)))

let secret_of_string s = Digest.BLAKE256.string (label ^ s)
let no_secret = ""
let prefix_bytes = 8

(* RFC 5453: the subnet's anycast addresses, and those of IANA. *)
let is_reserved id =
  id = String.make 8 '\000'
  || String.starts_with ~prefix:"\x00\x00\x5e\xff\xfe" id
  || (String.starts_with ~prefix:"\xfd\xff\xff\xff\xff\xff\xff" id && Char.code id.[7] >= 0x80)

let rec make ~secret ~prefix ~interface ~counter =
  let network = String.sub (Ip.network prefix ~prefix_length:64 : Ip.t :> string) 0 prefix_bytes in
  let b = Buffer.create 64 in
  Buffer.add_string b network;
  Buffer.add_int32_be b (Int32.of_int interface);
  Buffer.add_int32_be b (Int32.of_int counter);
  Buffer.add_string b secret;
  let id = String.sub (Digest.BLAKE256.string (Buffer.contents b)) 0 8 in
  if is_reserved id then make ~secret ~prefix ~interface ~counter:(counter + 1)
  else Ip.get (Bytes.of_string (network ^ id)) 0 ~length:Ip.v6_length

let generator secret =
  Random.State.make [| Hashtbl.hash (Digest.BLAKE256.string ("nonces" ^ secret)) |]

let link_local = Ip.get (Bytes.of_string ("\xfe\x80" ^ String.make 14 '\000')) 0 ~length:16
