open Message
open Pointer

type 'a t = 'a Shape.reader

let[@inline never] root m : _ t =
  let first = m.starts.(1) in
  if first = 0 then fail 0 "the first segment is empty";
  Message.Unsafe.set_bounds m 0 first;
  Shape.reader (struct_ m 0 m.depth)

let[@inline] cast (r : _ t) : _ t = Shape.(reader (int_of_reader r))

(* The byte of a field that is not in a data section of whole words inside the message: [-1] for one
   that the struct is too short for; or it is inside an element of 1, 2 or 4 bytes. *)
let elsewhere m r off size =
  if off < 0 then invalid_arg "Reader: a negative offset";
  let at = m.base + if r >= 0 then (data_at r lsl 3) + off else narrow_byte r + off in
  if off > (if r >= 0 then data_bytes r else narrow_width r) - size then -1
  else if at > m.limit - size then stray ()
  else at

let[@inline never] far8 m (r : _ t) off =
  match elsewhere m (Shape.int_of_reader r) off 1 with -1 -> 0 | i -> Bytes.get_uint8 m.buf i

let[@inline never] far16 m (r : _ t) off =
  match elsewhere m (Shape.int_of_reader r) off 2 with -1 -> 0 | i -> Bytes.get_uint16_le m.buf i

let[@inline] load32 m i = Int32.to_int (Word.int32 m.buf i)

let[@inline never] far32 m (r : _ t) off =
  match elsewhere m (Shape.int_of_reader r) off 4 with
  | -1 -> 0
  | i -> Int32.to_int (Bytes.get_int32_le m.buf i)

let[@inline never] far64_at m (r : _ t) off = elsewhere m (Shape.int_of_reader r) off 8

(* Of one field alone: its byte, and whether all of its bytes are there. *)
let[@inline] byte_of m (r : _ t) off = m.base + (data_at (Shape.int_of_reader r) lsl 3) + off

let[@inline] near m (r : _ t) off at size =
  data_words (Shape.int_of_reader r) > (off + size - 1) lsr 3 && off >= 0 && at + size <= m.limit

let[@inline] uint8 m r off =
  let at = byte_of m r off in
  if near m r off at 1 then Word.uint8 m.buf at else far8 m r off

(* The byte is not computed beforehand, or it would be again each time. *)
let[@inline] bool m (r : _ t) bit =
  let at = m.base + (data_at (Shape.int_of_reader r) lsl 3) + (bit lsr 3) in
  let byte =
    if data_words (Shape.int_of_reader r) > bit lsr 6 && at < m.limit then Word.uint8 m.buf at
    else far8 m r (bit lsr 3)
  in
  (byte lsr (bit land 7)) land 1 <> 0

let[@inline] uint16 m r off =
  let at = byte_of m r off in
  if near m r off at 2 then Word.uint16 m.buf at else far16 m r off

let[@inline] int32 m r off =
  let at = byte_of m r off in
  if near m r off at 4 then load32 m at else far32 m r off

let[@inline] uint32 m r off = int32 m r off land 0xffff_ffff

let[@inline] int64 m r off =
  let at = byte_of m r off in
  let at = if near m r off at 8 then at else far64_at m r off in
  if at < 0 then 0L else Word.int64 m.buf at

let[@inline] sign8 v = (v lsl (Sys.int_size - 8)) asr (Sys.int_size - 8)
let[@inline] sign16 v = (v lsl (Sys.int_size - 16)) asr (Sys.int_size - 16)
let[@inline] sign32 v = (v lsl (Sys.int_size - 32)) asr (Sys.int_size - 32)
let[@inline] float_of_bits n = Int64.float_of_bits n
let[@inline] float32_of_bits n = Int32.float_of_bits (Int32.of_int n)
let[@inline] bit_of byte bit = (byte lsr (bit land 7)) land 1 <> 0
let[@inline] int8 m r off = sign8 (uint8 m r off)
let[@inline] int16 m r off = sign16 (uint16 m r off)
let[@inline] float64 m r off = float_of_bits (int64 m r off)
let[@inline] float32 m r off = float32_of_bits (uint32 m r off)
let[@inline] int64_xor m r off d = Int64.logxor d (int64 m r off)
let[@inline] float64_xor m r off d = float_of_bits (Int64.logxor d (int64 m r off))
let[@inline] float32_xor m r off d = float32_of_bits (d lxor uint32 m r off)
let[@inline] pointer_at r i = pointers_at r + i

let[@inline never] has m (r : _ t) i =
  let r = Shape.int_of_reader r in
  Pointer.has r i && Bytes.get_int64_le m.buf (word_at m (pointer_at r i)) <> 0L

let[@inline] struct_ m (r : _ t) i : _ t =
  let r = Shape.int_of_reader r in
  Shape.reader (if Pointer.has r i then Pointer.struct_ m (pointer_at r i) (depth r) else 0)

let[@inline] list m (r : _ t) i want : _ Items.t =
  let r = Shape.int_of_reader r in
  if Pointer.has r i then Items.Unsafe.of_handle (Pointer.list m (pointer_at r i) (depth r) want)
  else Items.empty

let[@inline] text m (r : _ t) i : Blob.t =
  let r = Shape.int_of_reader r in
  if Pointer.has r i then Blob.of_handle (Pointer.text m (pointer_at r i)) else Blob.empty

let[@inline] data m (r : _ t) i : Blob.t =
  let r = Shape.int_of_reader r in
  if Pointer.has r i then Blob.of_handle (Pointer.blob_slowly m (pointer_at r i) ~text:false)
  else Blob.empty

let[@inline never] string m (r : _ t) i =
  let r = Shape.int_of_reader r in
  if Pointer.has r i then Pointer.string m (pointer_at r i) else ""

let data_string m r i = Blob.copy m (data m r i)

let[@inline never] capability m (r : _ t) i =
  let r = Shape.int_of_reader r in
  if not (Pointer.has r i) then None
  else
    match what m (pointer_at r i) with
    | Null -> None
    | Capability n -> Some n
    | Struct | List -> fail (pointer_at r i) "not a capability"

let null : _ t = Shape.reader 0
let[@inline] pointers_at_of (r : _ t) = Pointer.pointers_at (Shape.int_of_reader r)

(* For records: a message is a tree, so each word is due once; the slack is for the lists of
   nothing, which cost their length. *)
let[@inline never] decode read s =
  match
    let m = Message.of_string s in
    Message.set_traversal m ((4 * Message.words m) + 4096);
    read m (root m)
  with
  | v -> Ok v
  | exception Message.Error e -> Result.Error e

let[@inline] spend m (r : _ t) words = Message.spend m (pointers_at_of r) words

let[@inline never] optional m r i read =
  if has m r i then (
    spend m r 2;
    Some (read m (struct_ m r i)))
  else None

(* Of a copy of the message, as readers in other domains use it at the same time. *)
let[@inline never] default m d read =
  let d = Message.copy_with_memory d m.memory in
  spend d null 16;
  let v = read d in
  Message.set_memory m d.memory;
  v

let nothing = Message.of_segment ~memory:max_int (Bytes.make 8 '\000') ~off:0 ~len:8

module Unsafe = struct
  (* Where the data section of [r] begins, if [n] bytes of it are there; or -1. Fields are aligned, so
     one that starts inside the section ends there too; and a handle of another message still stays
     inside this one. *)
  let[@inline] data_of m (r : _ t) n =
    let r = Shape.int_of_reader r in
    let at = m.base + (data_at r lsl 3) in
    if data_words r > (n - 1) asr 3 && at + n <= m.limit then at else -1

  let[@inline] uint8_at m r d off = if d >= 0 then Word.uint8 m.buf (d + off) else far8 m r off
  let[@inline] uint16_at m r d off = if d >= 0 then Word.uint16 m.buf (d + off) else far16 m r off
  let[@inline] int32_at m r d off = if d >= 0 then load32 m (d + off) else far32 m r off
  let[@inline] uint32_at m r d off = int32_at m r d off land 0xffff_ffff

  (* No call here returns an [int64], which would have to be boxed. *)
  let[@inline] int64_at m r d off =
    if d >= 0 then Word.int64 m.buf (d + off)
    else
      let i = far64_at m r off in
      if i < 0 then 0L else Word.int64 m.buf i

  let[@inline] bool_at m r d bit = bit_of (uint8_at m r d (bit lsr 3)) bit
  let[@inline] int8_at m r d off = sign8 (uint8_at m r d off)
  let[@inline] int16_at m r d off = sign16 (uint16_at m r d off)
  let[@inline] float64_at m r d off = float_of_bits (int64_at m r d off)
  let[@inline] float32_at m r d off = float32_of_bits (uint32_at m r d off)
  let[@inline] int64_xor_at m r d off x = Int64.logxor x (int64_at m r d off)
  let[@inline] float64_xor_at m r d off x = float_of_bits (Int64.logxor x (int64_at m r d off))
  let[@inline] float32_xor_at m r d off x = float32_of_bits (x lxor uint32_at m r d off)

  let[@inline] pointers_of (r : _ t) n =
    let r = Shape.int_of_reader r in
    if n <= most && r >= n lsl 48 then pointers_at r else -1

  let[@inline] string_at m r p i = if p >= 0 then Pointer.string m (p + i) else string m r i
end
