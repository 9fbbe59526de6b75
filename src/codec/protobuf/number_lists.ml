(* The numbers of varints.h. *)
type kind = Int32 | Uint32 | Sint32 | Bool | Int64 | Sint64

external number : kind -> int = "%identity"

external read_words :
  string -> (int[@untagged]) -> (int[@untagged]) -> Bytes.t -> (int[@untagged]) -> (int[@untagged])
  = "weir_protobuf_read_words_byte" "weir_protobuf_read_words"
[@@noalloc]

external size_list : 'a list -> int ref -> (int[@untagged]) -> 'a list
  = "weir_protobuf_size_list_byte" "weir_protobuf_size_list"
[@@noalloc]

external write_list :
  Bytes.t -> int ref -> (int[@untagged]) -> 'a list -> (int[@untagged]) -> 'a list
  = "weir_protobuf_write_list_byte" "weir_protobuf_write_list"
[@@noalloc]

external get16_ne : string -> int -> int = "%caml_string_get16u"
external swap16 : int -> int = "%bswap16"

let[@inline] get16 s i = if Sys.big_endian then swap16 (get16_ne s i) else get16_ne s i

external word : Bytes.t -> int -> int64 = "%caml_bytes_get64u"

(* {1 Reading}

   From the end: the list is then built in order. A few numbers in place, more by words of a block
   of bytes, which stays in the minor heap. *)

let few = 32
let block = 248
let beside n = if n <= few then 0 else Int.min n block + 2

(* Reading goes backwards, but the error is about the first wrong number, as elsewhere. *)
let rec fail_at_first s start p =
  if Decode.byte s p < 128 then fail_at_first s (p + 1) (p + 1)
  else if p - start >= 9 then Error.fail start "number longer than ten bytes"
  else fail_at_first s start (p + 1)

let[@inline never] too_long s first = fail_at_first s first first

let rec one_by_one of_number s first stop acc =
  if stop <= first then acc
  else
    let p = Decode.number_start s first (stop - 1) in
    if stop - p > 10 then too_long s first;
    one_by_one of_number s first p (of_number s p stop :: acc)

let[@inline] check_last s first stop =
  if stop > first && Decode.byte s (stop - 1) >= 128 then Error.fail (stop - 1) "truncated"

(* The first position from [p] on where a number begins; the last byte ends one. *)
let rec number_begins s p = if Decode.byte s (p - 1) < 128 then p else number_begins s (p + 1)

let block_start s first stop =
  if stop - first <= block then first
  else
    let p = number_begins s (stop - block) in
    if p < stop then p else too_long s first

let read_block kind s first ~from stop words =
  let n = read_words s from stop words (number kind) in
  if n < 0 then too_long s first else n

let rec ints words i acc =
  if i < 0 then acc else ints words (i - 1) (Int64.to_int (word words (8 * i)) :: acc)

let rec bools words i acc =
  if i < 0 then acc else bools words (i - 1) (not (Int64.equal (word words (8 * i)) 0L) :: acc)

let rec wide words i acc =
  if i < 0 then acc
  else
    let v = word words (8 * i) in
    let n = Int64.to_int v in
    let boxed = if Decode.is_small n && Int64.equal (Int64.of_int n) v then Decode.boxed n else v in
    wide words (i - 1) (boxed :: acc)

let[@inline] read kind of_words of_number s first stop =
  check_last s first stop;
  if stop - first <= few then one_by_one of_number s first stop []
  else
    let words = Bytes.create (8 * Int.min block (stop - first)) in
    let rec blocks stop acc =
      if stop <= first then acc
      else
        let from = block_start s first stop in
        let n = read_block kind s first ~from stop words in
        blocks from (of_words words (n - 1) acc)
    in
    blocks stop []

(* Numbers of one and two bytes, the most, in place. A byte that ends a number stands before the
   first one. *)
let rec short_int32s s first stop acc =
  if stop <= first then acc
  else
    let last = get16 s (stop - 2) in
    if last land 0x80 = 0 then short_int32s s first (stop - 1) ((last lsr 8) :: acc)
    else if Decode.byte s (stop - 3) < 128 then
      short_int32s s first (stop - 2) ((((last lsr 8) lsl 7) lor (last land 127)) :: acc)
    else
      let p = Decode.number_start s first (stop - 1) in
      if stop - p > 10 then too_long s first;
      short_int32s s first p (Decode.int32 (Decode.varint s p stop) :: acc)

let read_int32 s first stop =
  if stop - first <= few && first > 0 && Decode.byte s (first - 1) < 128 then begin
    check_last s first stop;
    short_int32s s first stop []
  end
  else read Int32 ints (fun s p stop -> Decode.int32 (Decode.varint s p stop)) s first stop

let read_uint32 s first stop =
  read Uint32 ints (fun s p stop -> Decode.uint32 (Decode.varint s p stop)) s first stop

let read_sint32 s first stop =
  read Sint32 ints (fun s p stop -> Decode.sint32 (Decode.varint s p stop)) s first stop

let read_bool s first stop =
  read Bool bools (fun s p stop -> Decode.bool (Decode.varint s p stop)) s first stop

let read_int64 s first stop =
  read Int64 wide (fun s p stop -> Decode.int64 s p (stop - p)) s first stop

let read_sint64 s first stop =
  read Sint64 wide (fun s p stop -> Decode.sint64 s p (stop - p)) s first stop

let[@inline] fixeds size of_bytes s first stop =
  if (stop - first) mod size <> 0 then Error.fail stop "truncated";
  let rec back p acc = if p < first then acc else back (p - size) (of_bytes s p :: acc) in
  back (stop - size) []

let read_fixed32 s first stop = fixeds 4 (fun s p -> Decode.fixed32 s p) s first stop
let read_sfixed32 s first stop = fixeds 4 (fun s p -> Decode.sfixed32 s p) s first stop
let read_fixed64 s first stop = fixeds 8 (fun s p -> Decode.fixed64 s p) s first stop
let read_float s first stop = fixeds 4 (fun s p -> Decode.float s p) s first stop
let read_double s first stop = fixeds 8 (fun s p -> Decode.double s p) s first stop

(* {1 Writing}

   Of many the size first, then forwards; few, without C, from the last. *)

let rec size kind refuse sum = function
  | [] -> !sum
  | l -> (
      match size_list l sum (number kind) with
      | x :: _ when !sum < 0 -> refuse x
      | rest -> size kind refuse sum rest)

let rec put kind b at stop = function
  | [] -> if !at <> stop then Encode.changed ()
  | l ->
      let before = !at in
      let rest = write_list b at stop l (number kind) in
      if !at = before then Encode.changed () else put kind b at stop rest

let write kind refuse b stop l =
  let n = size kind refuse (ref 0) l in
  let start = stop - n in
  if start < 0 then Encode.no_room n else put kind b (ref start) stop l;
  start

let rec at_most n = function
  | [] | [ _ ] | [ _; _ ] | [ _; _; _ ] -> true
  | _ :: _ :: _ :: _ :: rest -> n > 3 && at_most (n - 4) rest

let sooner = 12

let[@inline never] write_int32 b stop l =
  if at_most sooner l then Encode.all_int32 b stop l
  else write Int32 (fun v -> Encode.size_int32 v) b stop l

let[@inline] others kind one refuse b stop l =
  if at_most sooner l then Encode.all one b stop l else write kind refuse b stop l

let write_uint32 b stop l = others Uint32 Encode.uint32 (fun v -> Encode.size_uint32 v) b stop l
let write_sint32 b stop l = others Sint32 Encode.sint32 (fun v -> Encode.size_sint32 v) b stop l
let write_bool b stop l = others Bool (fun b stop v -> Encode.bool b stop v) (fun _ -> 0) b stop l
let write_int64 b stop l = others Int64 Encode.int64 (fun _ -> 0) b stop l
let write_sint64 b stop l = others Sint64 Encode.sint64 (fun _ -> 0) b stop l

let[@inline] write_fixed size one b stop l =
  let n = size * List.length l in
  let start = stop - n in
  let rec forwards at = function
    | [] -> ()
    | x :: rest ->
        ignore (one b (at + size) x : int);
        forwards (at + size) rest
  in
  if start < 0 then Encode.no_room n else forwards start l;
  start

let write_fixed32 b stop l = write_fixed 4 Encode.fixed32 b stop l
let write_sfixed32 b stop l = write_fixed 4 Encode.sfixed32 b stop l
let write_fixed64 b stop l = write_fixed 8 Encode.fixed64 b stop l
let write_float b stop l = write_fixed 4 Encode.float b stop l
let write_double b stop l = write_fixed 8 Encode.double b stop l
