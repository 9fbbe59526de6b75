type packet = Pcapng.packet = {
  time : Weir_base.Time.t;
  off : int;
  captured : int;
  original : int;
  link_type : int;
}

(* The file's magic number gives the byte order and the time unit. *)
let magic_ns = 0xa1b23c4d
let magic_us = 0xa1b2c3d4
let ethernet = 1
let header_length = 24
let record_header_length = 16
let set32 b at n = Bytes.set_int32_le b at (Int32.of_int n)

let header ~snaplen =
  let b = Bytes.make header_length '\000' in
  set32 b 0 magic_ns;
  Bytes.set_uint16_le b 4 2;
  Bytes.set_uint16_le b 6 4;
  set32 b 16 snaplen;
  set32 b 20 ethernet;
  Bytes.unsafe_to_string b

let record_header ~time ~captured ~original b ~off =
  set32 b off (time / 1_000_000_000);
  set32 b (off + 4) (time mod 1_000_000_000);
  set32 b (off + 8) captured;
  set32 b (off + 12) original

type classic = {
  mutable file : Bytes.t;
  mutable at : int;
  big_endian : bool;
  tick : int;  (** nanoseconds *)
  link_type : int;
}

type reader = Classic of classic | Ng of Pcapng.t

let u32 ~big_endian b at =
  let n = if big_endian then Bytes.get_int32_be b at else Bytes.get_int32_le b at in
  Int32.to_int n land 0xffff_ffff

let classic file ~big_endian ~tick =
  let u16 = if big_endian then Bytes.get_uint16_be else Bytes.get_uint16_le in
  if Bytes.length file < header_length then Error.malformed ~at:0 "the file ends inside its header"
  else if u16 file 4 <> 2 then Error.malformed ~at:4 "version is not 2"
  else
    (* The high half may hold the length of a frame check sequence. *)
    let link_type = u32 ~big_endian file 20 land 0xffff in
    Ok (Classic { file; at = header_length; big_endian; tick; link_type })

let reader file =
  if Pcapng.recognises file then Ok (Ng (Pcapng.start file))
  else if Bytes.length file < 4 then Error.malformed ~at:0 "not a capture file"
  else
    let be = u32 ~big_endian:true file 0 and le = u32 ~big_endian:false file 0 in
    if le = magic_ns then classic file ~big_endian:false ~tick:1
    else if be = magic_ns then classic file ~big_endian:true ~tick:1
    else if le = magic_us then classic file ~big_endian:false ~tick:1_000
    else if be = magic_us then classic file ~big_endian:true ~tick:1_000
    else Error.malformed ~at:0 "not a capture file"

let next_classic r =
  let at = r.at and left = Bytes.length r.file - r.at in
  let u32 at = u32 ~big_endian:r.big_endian r.file at in
  if left = 0 then Ok None
  else if left < record_header_length then
    Error.malformed ~at "the file ends inside a record header"
  else
    let captured = u32 (at + 8) in
    if captured > left - record_header_length then
      Error.malformed ~at "the file ends inside a packet"
    else
      let off = at + record_header_length in
      r.at <- off + captured;
      let time = (u32 at * 1_000_000_000) + (u32 (at + 4) * r.tick) in
      Ok (Some { time; off; captured; original = u32 (at + 12); link_type = r.link_type })

let next = function Classic r -> next_classic r | Ng t -> Pcapng.next t

(* -- piece by piece ------------------------------------------------------ *)

let wanted_header b =
  if Bytes.length b < 4 then 4 else if Pcapng.recognises b then 0 else header_length

let step = function Classic r -> next_classic r | Ng t -> Pcapng.step t
let place = function Classic r -> r.at | Ng t -> Pcapng.place t

let wanted = function
  | Ng t -> Pcapng.wanted t
  | Classic r ->
      if Bytes.length r.file - r.at < record_header_length then record_header_length
      else record_header_length + u32 ~big_endian:r.big_endian r.file (r.at + 8)

let move reader b =
  match reader with
  | Ng t -> Pcapng.move t b
  | Classic r ->
      r.file <- b;
      r.at <- 0

(* -- whole files --------------------------------------------------------- *)

let fold f a file =
  let rec go r a =
    match next r with Ok None -> Ok a | Ok (Some packet) -> go r (f a packet) | Error _ as e -> e
  in
  match reader file with Ok r -> go r a | Error _ as e -> e
