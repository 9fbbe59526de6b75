open Message
open Pointer

type 'a t = int

let empty = 0
let[@inline] handle (l : _ t) : int = l
let[@inline] length (l : _ t) = count l
let outside () = invalid_arg "Items: index out of bounds"
let inside m at = if at < m.limit - m.base then m.base + at else stray ()

(* Where the data of element [i] are when there is more to it: the index is out of bounds, or the
   kind another: a longer data element, or a struct whose first field it is. *)
let[@inline never] elsewhere m l i want =
  if i < 0 || i >= count l then outside ();
  let k = kind l in
  if k = composite then (
    let tag = high m (position l - 1) in
    let d = tag land 0xffff and p = tag lsr 16 in
    if not (fits ~want k ~d ~p) then fail (position l) "list of another element type";
    inside m ((position l + (i * (d + p))) lsl 3))
  else if not (fits ~want k ~d:0 ~p:0) then fail (position l) "list of another element type"
  else inside m ((position l lsl 3) + (i * (bits.(k) lsr 3)))

(* An element that begins before the end of the message ends there too, being aligned. *)
let[@inline] address m l i want log =
  let at = m.base + position_byte l + (i lsl log) in
  if i >= 0 && i < count l && kind l = want && at < m.limit then at else elsewhere m l i want

let[@inline] load32 m at = Int32.to_int (Word.int32 m.buf at)
let[@inline] uint8 m l i = Word.uint8 m.buf (address m l i 2 0)
let[@inline] uint16 m l i = Word.uint16 m.buf (address m l i 3 1)
let[@inline] int32 m l i = load32 m (address m l i 4 2)
let[@inline] uint32 m l i = int32 m l i land 0xffff_ffff
let[@inline] int64 m l i = Word.int64 m.buf (address m l i 5 3)
let[@inline] sign n v = (v lsl (Sys.int_size - n)) asr (Sys.int_size - n)
let[@inline] int8 m l i = sign 8 (uint8 m l i)
let[@inline] int16 m l i = sign 16 (uint16 m l i)
let[@inline] float64 m l i = Int64.float_of_bits (int64 m l i)
let[@inline] float32 m l i = Int32.float_of_bits (Word.int32 m.buf (address m l i 4 2))

let[@inline never] bool m l i =
  if i < 0 || i >= count l then outside ();
  if kind l <> bit then fail (position l) "list of another element type";
  (Bytes.get_uint8 m.buf (inside m (position_byte l + (i lsr 3))) lsr (i land 7)) land 1 <> 0

(* The position of element [i] of a list of pointers, or of structs that begin with one. *)
let[@inline never] pointer_position m l i =
  if i < 0 || i >= count l then outside ();
  if kind l = composite then (
    let tag = high m (position l - 1) in
    let d = tag land 0xffff and p = tag lsr 16 in
    if p = 0 then fail (position l) "list of another element type";
    position l + (i * (d + p)) + d)
  else if kind l = pointer then position l + i
  else fail (position l) "list of another element type"

let[@inline never] struct_elsewhere l i left =
  match kind l with
  | 6 -> pack_struct (position l + i) 0 1 (left - 1)
  | 5 -> pack_struct (position l + i) 1 0 (left - 1)
  | 0 -> 0
  | 1 -> fail (position l) "bits where structs should be"
  | k ->
      let byte = i lsl (k - 2) in
      pack_narrow (position l + (byte lsr 3)) (byte land 7) (k - 2)

let too_deep l = fail (position l) "nested too deep"

let[@inline never] struct_slowly l i =
  if i < 0 || i >= count l then outside ()
  else if kind l = composite then stray ()
  else
    let left = list_depth l in
    if left = 0 then too_deep l else struct_elsewhere l i left

(* The sizes are in the tag, the word before the first. A list of this message lies inside it with
   its tag; of what another's names instead, no more is made than is inside. *)
let[@inline never] struct_handle m l i =
  let first = m.base + position_byte l in
  if i >= 0 && i < count l && kind l = composite && first <= m.limit then
    let tag = Word.int64 m.buf (first - 8) in
    let d = Int64.to_int (Int64.shift_right_logical tag 32) land most in
    let p = Int64.to_int (Int64.shift_right_logical tag 48) land most in
    let at = (i * (d + p)) + d in
    if first + (at lsl 3) <= m.limit then pack_before (position l + at) d p (list_depth l)
    else stray ()
  else struct_slowly l i

let struct_ m (l : _ t) i : _ Shape.reader = Shape.reader (struct_handle m l i)
let text m l i = Blob.of_handle (Pointer.text m (pointer_position m l i))
let data m l i = Blob.of_handle (blob_slowly m (pointer_position m l i) ~text:false)
let list m (l : _ t) i : _ t = Pointer.list m (pointer_position m l i) (list_depth l) any
let string m l i = Pointer.string m (pointer_position m l i)
let data_string m l i = Blob.copy m (data m l i)

let[@inline never] capability m l i =
  let p = pointer_position m l i in
  match what m p with
  | Null -> None
  | Capability n -> Some n
  | Struct | List -> fail p "not a capability"

(* A cell of a list takes three words, what is in it [own] more. *)
let spend own m l = Message.spend m (position l) ((3 + own) * count l)

let[@inline never] listed own get m l =
  spend own m l;
  let acc = ref [] in
  for i = length l - 1 downto 0 do
    acc := get m l i :: !acc
  done;
  !acc

let to_list get m l = listed 0 get m l
let[@inline] in_line l = kind l = composite && count l > 0

let last m (l : _ t) : _ Shape.reader =
  spend 0 m l;
  Shape.reader (struct_handle m l (count l - 1))

let step (r : _ Shape.reader) =
  let r = Shape.int_of_reader r in
  data_words r + pointers r

(* From the last to the first: [h] is the element's handle, whose position is in its low bits. *)
let rec read_structs read m h step left acc =
  if left = 0 then acc
  else
    let v = read m (Shape.reader h) in
    read_structs read m (h - step) step (left - 1) (v :: acc)

(* The tag of a list of structs is looked at once. *)
let[@inline never] structs read m (l : _ t) =
  let n = count l in
  if n = 0 then []
  else if kind l = composite then (
    spend 0 m l;
    let last = struct_handle m l (n - 1) in
    read_structs read m last (data_words last + pointers last) n [])
  else to_list (fun m l i -> read m (struct_ m l i)) m l

let[@inline never] lists read m (l : _ t) =
  spend 0 m l;
  let acc = ref [] in
  for i = length l - 1 downto 0 do
    acc := read m (list m l i) :: !acc
  done;
  !acc

let voids _ l = count l
let bools m l = to_list bool m l

(* Copies of bits and bytes, which as lists would take 192 and 24 times their room. *)
let[@inline never] bits m l =
  let n = count l in
  if n = 0 then Bits.empty
  else if kind l <> bit then fail (position l) "list of another element type"
  else
    let first = m.base + position_byte l and len = (n + 7) lsr 3 in
    if first + len > m.limit then stray ();
    Message.spend m (position l) (3 + string_words len);
    Bits.of_bytes (Bytes.sub m.buf first len) n

let[@inline never] octets m l =
  let n = count l in
  if n = 0 then ""
  else (
    Message.spend m (position l) (string_words n);
    let first = m.base + position_byte l in
    if kind l = byte && first + n <= m.limit then Weir_base.Unsafe.Short.sub m.buf first n
    else String.init n (fun i -> Char.unsafe_chr (uint8 m l i)))

let int8s m l = to_list (fun m l i -> int8 m l i) m l
let int16s m l = to_list (fun m l i -> int16 m l i) m l

(* The commonest lists are spelt out: a call through a closure for each number would box it, or cost
   as much as reading it. *)
let rec read_int32s buf at first acc =
  if at < first then acc
  else read_int32s buf (at - 4) first (Int32.to_int (Word.int32 buf at) :: acc)

let rec read_int64s buf at first acc =
  if at < first then acc else read_int64s buf (at - 8) first (Word.int64 buf at :: acc)

let[@inline never] int32s m l =
  let first = m.base + position_byte l in
  let stop = first + (count l lsl 2) in
  if kind l = 4 && stop <= m.limit then (
    spend 0 m l;
    read_int32s m.buf (stop - 4) first [])
  else to_list (fun m l i -> int32 m l i) m l

let[@inline never] int64s m l =
  let first = m.base + position_byte l in
  let stop = first + (count l lsl 3) in
  if kind l = 5 && stop <= m.limit then (
    spend 3 m l;
    read_int64s m.buf (stop - 8) first [])
  else listed 3 (fun m l i -> int64 m l i) m l

let uint8s m l = to_list (fun m l i -> uint8 m l i) m l
let uint16s m l = to_list (fun m l i -> uint16 m l i) m l
let uint32s m l = to_list (fun m l i -> uint32 m l i) m l
let float32s m l = listed 2 (fun m l i -> float32 m l i) m l
let float64s m l = listed 2 (fun m l i -> float64 m l i) m l
let texts m l = to_list string m l
let datas m l = to_list data_string m l
let capabilities m l = listed 2 capability m l

(* One that the schema does not know takes two words more. *)
let enums of_int ~known m l =
  let get m l i =
    let v = uint16 m l i in
    if v >= known then Message.spend m (position l) 2;
    of_int v
  in
  to_list get m l

module Unsafe = struct
  let[@inline] of_handle (h : int) : _ t = h

  let[@inline] previous (r : _ Shape.reader) step : _ Shape.reader =
    Shape.reader (Shape.int_of_reader r - step)
end
