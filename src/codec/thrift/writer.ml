type t = { mutable buf : Bytes.t; mutable pos : int; mutable compact : bool }

let create ?(size = 512) protocol =
  { buf = Bytes.create (max 16 size); pos = 0; compact = protocol = Kind.Compact }

let reset w = w.pos <- 0
let length w = w.pos
let contents w f = f w.buf 0 w.pos
let[@inline never] to_string w = Bytes.sub_string w.buf 0 w.pos

let[@inline never] grow w pos n =
  let buf = Bytes.create (max (pos + n) (2 * Bytes.length w.buf)) in
  Bytes.blit w.buf 0 buf 0 pos;
  w.buf <- buf;
  buf

(* The storage, with room for [n] bytes at [pos]. Both are local to the caller, so that what it
   writes without a look is inside, also if two domains use one writer. *)
let[@inline] storage w pos n =
  let buf = w.buf in
  if pos + n > Bytes.length buf then grow w pos n else buf

let[@inline] room w n = ignore (storage w w.pos n)

(* Of the lowest 8 bits, into [storage]: no bounds to check. *)
external set : Bytes.t -> int -> int -> unit = "%bytes_unsafe_set"

let[@inline] u8 w v =
  let pos = w.pos in
  set (storage w pos 1) pos v;
  w.pos <- pos + 1

(* [n] is taken as unsigned, 63 bits. *)
let rec varint_from buf pos n =
  if n land lnot 0x7f = 0 then (
    set buf pos n;
    pos + 1)
  else (
    set buf pos (n land 0x7f lor 0x80);
    varint_from buf (pos + 1) (n lsr 7))

let[@inline] varint w n =
  let pos = w.pos in
  let buf = storage w pos 10 in
  if n land lnot 0x7f = 0 then (
    set buf pos n;
    w.pos <- pos + 1)
  else w.pos <- varint_from buf pos n

let[@inline] zigzag n = (n lsl 1) lxor (n asr (Sys.int_size - 1))
let[@inline] sign n v = (v lsl (Sys.int_size - n)) asr (Sys.int_size - n)
let i8 w v = u8 w v

let[@inline never] i16 w v =
  if w.compact then varint w (zigzag (sign 16 v))
  else (
    room w 2;
    Bytes.set_int16_be w.buf w.pos v;
    w.pos <- w.pos + 2)

let[@inline never] i32 w v =
  if w.compact then varint w (zigzag (sign 32 v))
  else (
    room w 4;
    Bytes.set_int32_be w.buf w.pos (Int32.of_int v);
    w.pos <- w.pos + 4)

let[@inline never] long_varint w v =
  let n = ref (Int64.logxor (Int64.shift_left v 1) (Int64.shift_right v 63)) in
  room w 10;
  while Int64.logand !n (-128L) <> 0L do
    Bytes.set_uint8 w.buf w.pos (Int64.to_int !n land 0x7f lor 0x80);
    w.pos <- w.pos + 1;
    n := Int64.shift_right_logical !n 7
  done;
  Bytes.set_uint8 w.buf w.pos (Int64.to_int !n);
  w.pos <- w.pos + 1

let[@inline never] i64 w v =
  if w.compact then
    (* 62 bits leave room for the sign in an OCaml int. *)
    if Int64.equal (Int64.shift_right (Int64.shift_left v 2) 2) v then
      let pos = w.pos in
      w.pos <- varint_from (storage w pos 10) pos (zigzag (Int64.to_int v))
    else long_varint w v
  else (
    room w 8;
    Bytes.set_int64_be w.buf w.pos v;
    w.pos <- w.pos + 8)

let[@inline never] double w v =
  room w 8;
  let bits = Int64.bits_of_float v in
  if w.compact then Bytes.set_int64_le w.buf w.pos bits else Bytes.set_int64_be w.buf w.pos bits;
  w.pos <- w.pos + 8

let[@inline never] too_long () =
  invalid_arg "Thrift: a length or a number of elements of 2^31 or more"

(* What is not negative when read as 32 bits. *)
let[@inline] size n = if n > 0x7fff_ffff then too_long () else n
let bool w v = u8 w (if v then 1 else if w.compact then 2 else 0)

let[@inline never] string w s =
  let n = size (String.length s) in
  let pos = w.pos in
  let buf = storage w pos (n + 10) in
  let pos =
    if w.compact then varint_from buf pos n
    else (
      Bytes.set_int32_be buf pos (Int32.of_int n);
      pos + 4)
  in
  Weir_base.Unsafe.Short.blit_string s buf pos n;
  w.pos <- pos + n

let[@inline never] uuid w s =
  if String.length s <> 16 then invalid_arg "Writer.uuid: a UUID has 16 bytes";
  room w 16;
  Bytes.blit_string s 0 w.buf w.pos 16;
  w.pos <- w.pos + 16

let binary_kind k = Char.code Kind.to_binary.[k]

(* [k] is the kind in the header: 1 or 2 for a boolean in the compact protocol. *)
let[@inline never] header w last id k =
  if w.compact then
    let delta = id - last in
    if delta > 0 && delta <= 15 then u8 w ((delta lsl 4) lor k)
    else (
      u8 w k;
      varint w (zigzag (sign 16 id)))
  else (
    room w 3;
    Bytes.set_uint8 w.buf w.pos (binary_kind k);
    Bytes.set_int16_be w.buf (w.pos + 1) id;
    w.pos <- w.pos + 3)

let field w last id k =
  header w last id k;
  id

let[@inline never] bool_field w last id v =
  if w.compact then header w last id (if v then 1 else 2)
  else (
    header w last id Kind.bool;
    bool w v);
  id

let stop w = u8 w 0

let list_header w k n =
  if w.compact then
    if n < 15 then u8 w ((n lsl 4) lor k)
    else (
      u8 w (0xf0 lor k);
      varint w n)
  else (
    u8 w (binary_kind k);
    i32 w n)

let rec each w write = function
  | [] -> ()
  | v :: rest ->
      write w v;
      each w write rest

let[@inline never] list w k write l =
  list_header w k (size (List.length l));
  each w write l

let[@inline never] map w k v write_key write_value l =
  let n = size (List.length l) in
  if w.compact then (
    varint w n;
    if n > 0 then u8 w ((k lsl 4) lor v))
  else (
    u8 w (binary_kind k);
    u8 w (binary_kind v);
    i32 w n);
  List.iter
    (fun (a, b) ->
      write_key w a;
      write_value w b)
    l

(* A writer that waits for the next [encode] of its domain: growing a new one each time would cost
   more than the writing. The exchange keeps two threads of a domain apart. *)
let spare = Domain.DLS.new_key (fun () -> Atomic.make None)
let kept = 65536

let[@inline never] encode write protocol v =
  let slot = Domain.DLS.get spare in
  let w =
    match Atomic.exchange slot None with
    | Some w ->
        w.pos <- 0;
        w.compact <- protocol = Kind.Compact;
        w
    | None -> create protocol
  in
  write w v;
  let s = to_string w in
  if Bytes.length w.buf <= kept then Atomic.set slot (Some w);
  s
