type packet = {
  time : Weir_base.Time.t;
  off : int;
  captured : int;
  original : int;
  link_type : int;
}

type interface = {
  linktype : int;
  snaplen : int;  (** 0 for no limit *)
  decimal : bool;  (** the time unit is 10{^ -digits} seconds if true, else 2{^ -digits} *)
  digits : int;
  offset : int64;  (** seconds to add *)
}

type t = {
  mutable file : Bytes.t;
  mutable at : int;
  mutable big_endian : bool;
  interfaces : interface Dynarray.t;  (** of this section *)
}

let section_header = 0x0a0d0d0a
let interface_description = 1
let simple_packet = 3
let enhanced_packet = 6
let order_magic = 0x1a2b3c4d
let most_interfaces = 65_536
let u16 t at = if t.big_endian then Bytes.get_uint16_be t.file at else Bytes.get_uint16_le t.file at
let u64 t at = if t.big_endian then Bytes.get_int64_be t.file at else Bytes.get_int64_le t.file at

let u32 t at =
  let n = if t.big_endian then Bytes.get_int32_be t.file at else Bytes.get_int32_le t.file at in
  Int32.to_int n land 0xffff_ffff

(* A section header's type is the same in both byte orders. *)
let recognises file =
  Bytes.length file >= 4 && Int32.to_int (Bytes.get_int32_be file 0) = section_header

let start file = { file; at = 0; big_endian = false; interfaces = Dynarray.create () }
let rec power base n = if n = 0 then 1L else Int64.mul base (power base (n - 1))

(* 2^63 and 10^19 are the highest powers that fit into 64 unsigned bits. *)
let resolution_is_known i = i.digits <= if i.decimal then 19 else 63

(* Nanoseconds since 1970, [None] outside 1970 to 2106. Exact for decimal resolutions; finer binary
   ones are rounded down to 2^-30 s. *)
let time i ticks =
  let per_second = power (if i.decimal then 10L else 2L) i.digits in
  let seconds = Int64.add (Int64.unsigned_div ticks per_second) i.offset in
  let rest = Int64.unsigned_rem ticks per_second in
  if Int64.compare seconds 0L < 0 || Int64.compare seconds 0xffff_ffffL > 0 then None
  else
    let ns =
      if i.decimal then
        if i.digits <= 9 then Int64.mul rest (power 10L (9 - i.digits))
        else Int64.unsigned_div rest (power 10L (i.digits - 9))
      else
        let cut = max 0 (i.digits - 30) in
        let rest = Int64.shift_right_logical rest cut in
        Int64.shift_right_logical (Int64.mul rest 1_000_000_000L) (i.digits - cut)
    in
    Some ((Int64.to_int seconds * 1_000_000_000) + Int64.to_int ns)

(* Options are (code, length, value padded to a word), up to code 0 or [stop].
   All lengths are whole words, so [stop - at] is too. *)
let rec options t i ~at ~stop =
  if at >= stop then Ok i
  else
    let code = u16 t at and size = u16 t (at + 2) in
    let value = at + 4 in
    let next = value + ((size + 3) land lnot 3) in
    if code = 0 then Ok i
    else if next > stop then Error.malformed ~at "option ends beyond its block"
    else
      match (code, size) with
      | 9, 1 ->
          let n = Bytes.get_uint8 t.file value in
          let i = { i with decimal = n < 128; digits = n land 127 } in
          if resolution_is_known i then options t i ~at:next ~stop
          else Error.malformed ~at "time resolution too fine for 64 bits"
      | 14, 8 -> options t { i with offset = u64 t value } ~at:next ~stop
      | (9 | 14), _ -> Error.malformed ~at "option of the wrong length"
      | _ -> options t i ~at:next ~stop

let add_interface t ~at ~stop =
  if stop - at < 8 then Error.malformed ~at "interface description is too short"
  else if Dynarray.length t.interfaces = most_interfaces then
    Error.malformed ~at "more than 65536 interfaces"
  else
    let linktype = u16 t at and snaplen = u32 t (at + 4) in
    let i = { linktype; snaplen; decimal = true; digits = 6; offset = 0L } in
    match options t i ~at:(at + 8) ~stop with
    | Ok i -> Ok (Dynarray.add_last t.interfaces i)
    | Error _ as e -> e

let interface t ~at id =
  if id < Dynarray.length t.interfaces then Ok (Dynarray.get t.interfaces id)
  else Error.malformed ~at "packet of an interface without a description block"

let simple t ~at ~stop =
  if stop - at < 4 then Error.malformed ~at "packet block is too short"
  else
    match interface t ~at 0 with
    | Error _ as e -> e
    | Ok i ->
        let original = u32 t at in
        let captured = if i.snaplen = 0 then original else min original i.snaplen in
        if captured > stop - at - 4 then Error.malformed ~at "packet ends beyond its block"
        else Ok (Some { time = 0; off = at + 4; captured; original; link_type = i.linktype })

let enhanced t ~at ~stop =
  if stop - at < 20 then Error.malformed ~at "packet block is too short"
  else
    match interface t ~at (u32 t at) with
    | Error _ as e -> e
    | Ok i -> (
        let high = Int64.of_int (u32 t (at + 4)) and low = Int64.of_int (u32 t (at + 8)) in
        let captured = u32 t (at + 12) and original = u32 t (at + 16) in
        if captured > stop - at - 20 then Error.malformed ~at "packet ends beyond its block"
        else
          match time i (Int64.logor (Int64.shift_left high 32) low) with
          | None -> Error.malformed ~at:(at + 4) "time is not between 1970 and 2106"
          | Some time ->
              Ok (Some { time; off = at + 20; captured; original; link_type = i.linktype }))

(* A section's byte order must be known before its length can be read. *)
let begin_section t =
  let at = t.at in
  if Bytes.length t.file - at < 28 then Error.malformed ~at "the file ends inside a section header"
  else (
    t.big_endian <- Int32.to_int (Bytes.get_int32_be t.file (at + 8)) = order_magic;
    Dynarray.clear t.interfaces;
    if u32 t (at + 8) <> order_magic then Error.malformed ~at:(at + 8) "byte-order magic is wrong"
    else if u16 t (at + 12) <> 1 then Error.malformed ~at:(at + 12) "version is not 1"
    else Ok ())

(* The packet of the block at [t.at], if it is a packet block. Type and length were checked. *)
let block t ~kind ~stop =
  let at = t.at + 8 in
  if kind = enhanced_packet then enhanced t ~at ~stop
  else if kind = simple_packet then simple t ~at ~stop
  else if kind = interface_description then Result.map (fun () -> None) (add_interface t ~at ~stop)
  else Ok None

let step t =
  let at = t.at and left = Bytes.length t.file - t.at in
  if left < 12 then Error.malformed ~at "the file ends inside a block"
  else
    let kind = u32 t at in
    match if kind = section_header then begin_section t else Ok () with
    | Error _ as e -> e
    | Ok () -> (
        let size = u32 t (at + 4) in
        if size < 12 || size land 3 <> 0 then Error.malformed ~at:(at + 4) "block length"
        else if size > left then Error.malformed ~at "the file ends inside a block"
        else if u32 t (at + size - 4) <> size then
          Error.malformed ~at:(at + size - 4) "the two lengths of a block differ"
        else
          match block t ~kind ~stop:(at + size - 4) with
          | Error _ as e -> e
          | Ok _ as found ->
              t.at <- at + size;
              found)

let rec next t =
  if Bytes.length t.file = t.at then Ok None
  else match step t with Ok None -> next t | found -> found

(* -- piece by piece ------------------------------------------------------ *)

let place t = t.at

(* A section header may change the byte order, also that of its own length. *)
let wanted t =
  let at = t.at and left = Bytes.length t.file - t.at in
  if left < 12 then 12
  else if u32 t at <> section_header then u32 t (at + 4)
  else if left < 28 then 28
  else
    let little = Int32.to_int (Bytes.get_int32_le t.file (at + 8)) = order_magic in
    let n = (if little then Bytes.get_int32_le else Bytes.get_int32_be) t.file (at + 4) in
    Int.max 28 (Int32.to_int n land 0xffff_ffff)

let move t file =
  t.file <- file;
  t.at <- 0
