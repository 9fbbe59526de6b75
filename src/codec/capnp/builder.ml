(* Positions are words of [buf]; word 0 is kept for the segment table of a message of one segment,
   so that such a message is framed where it lies. Only the last segment grows: it begins at [seg],
   ends at [used], and may reach [stop] before a slower look is needed. *)
type t = {
  mutable buf : Bytes.t;
  mutable used : int;
  mutable stop : int;
  mutable seg : int;
  mutable starts : int list;  (** the segments before the last, latest first *)
  mutable count : int;
  limit : int;
}

type 'a struct_ = 'a Shape.builder
type 'a items = int

let first = 1
let set_stop b = b.stop <- Int.min (Bytes.length b.buf / 8) (b.seg + b.limit)

let reset b =
  b.used <- first + 1;
  b.seg <- first;
  b.starts <- [];
  b.count <- 1;
  set_stop b;
  Bytes.set_int64_le b.buf (first * 8) 0L

let create ?(words = 64) ?(segment_words = Message.max_words) () =
  if words < 0 || segment_words < 1 then invalid_arg "Builder.create";
  let buf = Bytes.create ((Int.max 1 words + first) * 8) in
  let b = { buf; used = 0; stop = 0; seg = 0; starts = []; count = 0; limit = segment_words } in
  reset b;
  b

(* A builder over bytes that have room for all that will be built. *)
let over buf ~used =
  let stop = Bytes.length buf / 8 in
  if used < 0 || used > stop then invalid_arg "Builder.over";
  { buf; used; stop; seg = 0; starts = []; count = 1; limit = Message.max_words }

let use b n =
  if n < b.seg || n > Bytes.length b.buf / 8 then invalid_arg "Builder.use";
  b.used <- n

let ensure b words =
  let need = b.used + words in
  if need > Message.max_words then Message.fail b.used "message of 2 GiB or more";
  if need * 8 > Bytes.length b.buf then (
    let buf = Bytes.create (8 * Int.max need (2 * b.used)) in
    Bytes.blit b.buf 0 buf 0 (b.used * 8);
    b.buf <- buf);
  set_stop b

(* Whether [words] more fit into the last segment; there is room for them then. *)
let room b words =
  b.used + words <= b.stop
  || b.used + words - b.seg <= b.limit
     &&
     (ensure b words;
      true)

let[@inline] set_pointer b p lo hi =
  Bytes.set_int64_le b.buf (p lsl 3)
    (Int64.logor (Int64.of_int (lo land 0xffff_ffff)) (Int64.shift_left (Int64.of_int hi) 32))

let stale () = invalid_arg "Builder: a handle from before the last reset"
let shorter () = invalid_arg "Builder: the struct was copied, and is too short for this field"

let[@inline never] place_slowly b p words kind hi =
  if p >= b.used then stale ();
  let full = b.used - b.seg + words + 1 > b.limit && b.used > b.seg in
  if full && b.count < Message.max_segments then (
    b.starts <- b.seg :: b.starts;
    b.count <- b.count + 1;
    b.seg <- b.used);
  if p >= b.seg then (
    ensure b words;
    let target = b.used in
    b.used <- target + words;
    set_pointer b p (((target - p - 1) lsl 2) lor kind) hi;
    target)
  else (
    (* The pad goes just before the object, in its segment. *)
    ensure b (words + 1);
    let pad = b.used in
    b.used <- pad + 1 + words;
    set_pointer b pad kind hi;
    set_pointer b p (((pad - b.seg) lsl 3) lor 2) (b.count - 1);
    pad + 1)

(* [place b p words kind hi] takes [words] words, not zeroed, and points [p] at them. *)
let[@inline] place b p words kind hi =
  let target = b.used in
  if target + words <= b.stop && p >= b.seg && p < target then (
    b.used <- target + words;
    Bytes.set_int64_le b.buf (p lsl 3)
      (Int64.logor
         (Int64.of_int (((target - p - 1) lsl 2) lor kind land 0xffff_ffff))
         (Int64.shift_left (Int64.of_int hi) 32));
    target)
  else place_slowly b p words kind hi

let raced () = invalid_arg "Builder: used by two domains at once"

let[@inline] zero b from words =
  let buf = b.buf in
  if (from + words) lsl 3 > Bytes.length buf then raced ();
  Word.zero buf (from lsl 3) words

let[@inline] pointer_at (h : _ struct_) i =
  let h = Shape.int_of_builder h in
  if Pointer.has h i then Pointer.pointers_at h + i else shorter ()

(* The byte of a field of [size] bytes. Both bounds are whole words, so an unaligned field that is
   inside the struct's data is inside what is used. Where the storage ends is looked at once more
   when a field is set, as another domain may have put a shorter one in its place. *)
let[@inline] at b (h : _ struct_) off size =
  let h = Shape.int_of_builder h in
  let i = (Pointer.data_at h lsl 3) + off in
  if off < 0 || off > Pointer.data_bytes h - size then shorter ()
  else if i + size > b.used lsl 3 then stale ()
  else i

(* Called, not expanded: a schema has a setter a field, and a number is boxed by then anyway. *)
let[@inline never] set_uint8 b h off v = Bytes.set_uint8 b.buf (at b h off 1) v
let[@inline never] set_uint16 b h off v = Bytes.set_uint16_le b.buf (at b h off 2) v
let[@inline never] set_uint32 b h off v = Bytes.set_int32_le b.buf (at b h off 4) (Int32.of_int v)
let[@inline never] set_int64 b h off v = Bytes.set_int64_le b.buf (at b h off 8) v

let[@inline never] set_float64 b h off v =
  Bytes.set_int64_le b.buf (at b h off 8) (Int64.bits_of_float v)

let[@inline never] set_float32 b h off v =
  Bytes.set_int32_le b.buf (at b h off 4) (Int32.bits_of_float v)

let[@inline never] set_int64_xor b h off d v =
  Bytes.set_int64_le b.buf (at b h off 8) (Int64.logxor d v)

let[@inline never] set_float64_xor b h off d v =
  Bytes.set_int64_le b.buf (at b h off 8) (Int64.logxor d (Int64.bits_of_float v))

let[@inline never] set_float32_xor b h off d v =
  Bytes.set_int32_le b.buf (at b h off 4) (Int32.logxor (Int32.of_int d) (Int32.bits_of_float v))

let[@inline never] set_bool b h bit v =
  let i = at b h (bit lsr 3) 1 and mask = 1 lsl (bit land 7) in
  let old = Bytes.get_uint8 b.buf i in
  Bytes.set_uint8 b.buf i (if v then old lor mask else old land lnot mask)

let[@inline] cast (h : _ struct_) : _ struct_ = Shape.(builder (int_of_builder h))

(* A handle holds sizes of 14 bits: of others it would name words that are not the struct's. *)
let check_sizes d pc =
  if d lor pc land lnot Pointer.most <> 0 then
    invalid_arg "Builder: a struct has 0 to 16,383 data words and pointers"

let[@inline never] new_struct b p d pc =
  check_sizes d pc;
  let words = d + pc in
  if words = 0 then (
    set_pointer b p (-4) 0;
    Pointer.pack_struct p 0 0 0)
  else
    let target = place b p words 0 (d lor (pc lsl 16)) in
    zero b target words;
    Pointer.pack_struct target d pc 0

let[@inline never] init_root b d pc : _ struct_ =
  check_sizes d pc;
  reset b;
  Shape.builder (new_struct b first d pc)

let[@inline never] init_struct b h i d pc : _ struct_ =
  Shape.builder (new_struct b (pointer_at h i) d pc)

(* [len] of [s]'s bytes from [off] on, and zero bytes up to [total]. *)
let new_bytes b p s off len total =
  if off < 0 || len < 0 || len > total || off > Bytes.length s - len then
    invalid_arg "Builder.new_bytes";
  if total > Pointer.max_bytes then invalid_arg "Builder: text or data of 512 MiB or more";
  let words = (total + 7) lsr 3 in
  let target = place b p words 1 ((total lsl 3) lor Pointer.byte) in
  if words > 0 then (
    let buf = b.buf in
    Bytes.set_int64_le buf ((target + words - 1) lsl 3) 0L;
    Weir_base.Unsafe.Short.copy s off buf (target lsl 3) len)

let[@inline never] new_text b p s =
  let len = String.length s in
  new_bytes b p (Bytes.unsafe_of_string s) 0 len (len + 1)

let[@inline never] new_data b p s =
  let len = String.length s in
  new_bytes b p (Bytes.unsafe_of_string s) 0 len len

let[@inline never] set_text b h i s = new_text b (pointer_at h i) s
let[@inline never] set_data b h i s = new_data b (pointer_at h i) s
let[@inline never] set_null b h i = set_pointer b (pointer_at h i) 0 0
let[@inline never] set_capability b h i n = set_pointer b (pointer_at h i) 3 n

let check_count n =
  if n < 0 || n > Pointer.max_count then invalid_arg "Builder: a list has 0 to 67,108,863 elements"

let[@inline never] new_list_as_is b p kind n : _ items =
  check_count n;
  if kind < Pointer.void || kind >= Pointer.composite then invalid_arg "Builder: not a Kind";
  let words = Pointer.element_words kind n in
  let target = place b p words 1 ((n lsl 3) lor kind) in
  zero b target words;
  Pointer.pack_list target n kind 0

let new_list b p kind n =
  new_list_as_is b p
    (if kind = Pointer.void && n > Pointer.weightless then Pointer.byte else kind)
    n

let[@inline never] new_struct_list_as_is b p n d pc : _ items =
  check_count n;
  check_sizes d pc;
  let words = n * (d + pc) in
  let target = place b p (words + 1) 1 ((words lsl 3) lor Pointer.composite) in
  set_pointer b target (n lsl 2) (d lor (pc lsl 16));
  zero b (target + 1) words;
  Pointer.pack_list (target + 1) n Pointer.composite 0

let new_struct_list b p n d pc =
  new_struct_list_as_is b p n (if d + pc = 0 && n > Pointer.weightless then 1 else d) pc

let[@inline never] init_list b h i kind n : _ items = new_list b (pointer_at h i) kind n

let[@inline never] init_struct_list b h i n d pc : _ items =
  new_struct_list b (pointer_at h i) n d pc

let length (l : _ items) = Pointer.count l
let check l i = if i < 0 || i >= Pointer.count l then invalid_arg "Builder: index out of bounds"
let other_kind () = invalid_arg "Builder: a list of another element type"

(* The struct [i] of those from [pos] on whose sizes a word of the message has. Where that is no
   longer what it was, it might lie anywhere, and setters look at no more than the end. *)
let[@inline] struct_of b sizes pos i : _ struct_ =
  if sizes land 0xc000_c000 <> 0 then stale ()
  else
    let d = sizes land 0xffff and pc = sizes lsr 16 in
    let words = d + pc in
    let pos = pos + (i * words) in
    if pos + words > b.used then stale () else Shape.builder (Pointer.pack_struct pos d pc 0)

(* The tag is the word before the first. *)
let[@inline never] item b (l : _ items) i : _ struct_ =
  check l i;
  if Pointer.kind l <> Pointer.composite then other_kind ();
  let pos = Pointer.position l in
  if pos > b.used then stale ()
  else struct_of b (Int32.to_int (Bytes.get_int32_le b.buf ((pos lsl 3) - 4))) pos i

let[@inline never] pointer_item l i =
  check l i;
  if Pointer.kind l <> Pointer.pointer then other_kind ();
  Pointer.position l + i

(* The byte of element [i] of a kind, which is of [1 lsl log] bytes. *)
let[@inline] item_at b l i kind log =
  check l i;
  let at = (Pointer.position l lsl 3) + (i lsl log) in
  if Pointer.kind l <> kind then other_kind () else if at >= b.used lsl 3 then stale () else at

let put_uint8 b l i v = Bytes.set_uint8 b.buf (item_at b l i Kind.byte 0) v
let put_uint16 b l i v = Bytes.set_uint16_le b.buf (item_at b l i Kind.two_bytes 1) v
let[@inline] put_32 b l i v = Bytes.set_int32_le b.buf (item_at b l i Kind.four_bytes 2) v
let put_uint32 b l i v = put_32 b l i (Int32.of_int v)
let put_float32 b l i v = put_32 b l i (Int32.bits_of_float v)
let[@inline] put_int64 b l i v = Bytes.set_int64_le b.buf (item_at b l i Kind.eight_bytes 3) v
let[@inline] put_float64 b l i v = put_int64 b l i (Int64.bits_of_float v)

let put_bool b l i v =
  check l i;
  let at = item_at b l (i lsr 3) Kind.bit 0 and mask = 1 lsl (i land 7) in
  let old = Bytes.get_uint8 b.buf at in
  Bytes.set_uint8 b.buf at (if v then old lor mask else old land lnot mask)

let put_text b l i s = new_text b (pointer_item l i) s
let put_data b l i s = new_data b (pointer_item l i) s
let put_capability b l i n = set_pointer b (pointer_item l i) 3 n
let put_list b l i kind n : _ items = new_list b (pointer_item l i) kind n
let put_struct_list b l i n d pc : _ items = new_struct_list b (pointer_item l i) n d pc
let[@inline] items_handle (l : _ items) : int = l

let[@inline never] starts b =
  let ends = Array.make (b.count + 1) (b.used - first) in
  List.iteri (fun i s -> ends.(b.count - 2 - i) <- s - first) b.starts;
  ends.(b.count - 1) <- b.seg - first;
  ends

let[@inline never] message b =
  Message.make ~memory:max_int ~traversal:Message.default_budget ~depth:Message.max_depth b.buf
    (first * 8) (starts b)

let words b = b.used - first

let[@inline never] framed b f =
  if b.count = 1 then (
    Bytes.set_int32_le b.buf 0 0l;
    Bytes.set_int32_le b.buf 4 (Int32.of_int (words b));
    f b.buf 0 (8 * b.used))
  else
    let starts = starts b in
    let table = Message.table_bytes b.count in
    let out = Bytes.make (table + (8 * words b)) '\000' in
    Bytes.set_int32_le out 0 (Int32.of_int (b.count - 1));
    for i = 0 to b.count - 1 do
      Bytes.set_int32_le out (4 + (4 * i)) (Int32.of_int (starts.(i + 1) - starts.(i)))
    done;
    Bytes.blit b.buf (first * 8) out table (8 * words b);
    f out 0 (Bytes.length out)

let to_string b = framed b Bytes.sub_string

(* Reads what was built: the pointers are ours, so only their form is looked at. *)
let[@inline never] resolve b p =
  let lo = Int32.to_int (Bytes.get_int32_le b.buf (p lsl 3)) in
  if lo land 3 <> 2 then p
  else
    let id = Int32.to_int (Bytes.get_int32_le b.buf ((p lsl 3) + 4)) in
    first + (starts b).(id) + ((lo lsr 3) land 0x1fff_ffff)

let half b p = Int32.to_int (Bytes.get_int32_le b.buf (p lsl 3))
let other_half b p = Int32.to_int (Bytes.get_int32_le b.buf ((p lsl 3) + 4)) land 0xffff_ffff

let[@inline never] get_struct b h i : _ struct_ option =
  let p = resolve b (pointer_at h i) in
  let lo = half b p and hi = other_half b p in
  if lo lor hi = 0 || lo land 3 <> 0 then None
  else
    let target = p + 1 + (lo asr 2) in
    if target < first then stale () else Some (struct_of b hi target 0)

let[@inline never] get_items b h i want : _ items option =
  let p = resolve b (pointer_at h i) in
  let lo = half b p and hi = other_half b p in
  if lo lor hi = 0 then None
  else
    let target = p + 1 + (lo asr 2) and kind = hi land 7 and n = hi lsr 3 in
    let composite = kind = Pointer.composite in
    let words = if composite then n + 1 else Pointer.element_words kind n in
    if lo land 3 <> 1 || (kind <> want && want <> Pointer.void) then
      Message.fail (p - first) "list of another element type"
    else if target < first || target + words > b.used then stale ()
    else
      let count = if composite then (half b target lsr 2) land 0x3fff_ffff else n in
      if count > Pointer.max_count then stale ();
      Some (Pointer.pack_list (if composite then target + 1 else target) count kind 0)
