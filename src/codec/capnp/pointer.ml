(* Handles are packed into one immediate int, so that reading in place allocates nothing:

   struct: position of its pointers 28 bits, data words before them 14, depth left 6, pointers 14;
   a negative one is an element of 1, 2 or 4 bytes read as a struct: position 28 bits, and from bit
   42 on the byte within the word (3 bits) and the log of its width (2 bits).
   list: element kind 3 bits, position 28, depth left 6, count 26. The depth is for what the
   elements point to, or for the elements of a list of structs.
   blob: the byte where it begins, from the message's first, 31 bits, length in bytes 29. *)

open Message

(* Where word [p] is; of another message's handle it may be none of this one's. *)
let[@inline] word_at m p =
  let at = m.base + (p lsl 3) in
  if at >= m.limit then stray () else at

let[@inline] low m p = Int32.to_int (Bytes.get_int32_le m.buf (word_at m p))
let[@inline] high m p = Int32.to_int (Bytes.get_int32_le m.buf (word_at m p + 4)) land 0xffff_ffff
let[@inline] upper w = Int64.to_int (Int64.shift_right_logical w 32)
let[@inline] top w = Int64.to_int (Int64.shift_right_logical w 48)
let most = 0x3fff
let[@inline] pointers_at r = r land 0xfff_ffff
let[@inline] data_words r = (r lsr 28) land most
let[@inline] data_bytes r = (r lsr 25) land (most lsl 3)
let[@inline] data_at r = pointers_at r - data_words r
let[@inline] pointers r = (r lsr 48) land most
let[@inline] depth r = (r lsr 42) land 63

(* [0 <= i < pointers r], in one comparison where [i] is known. *)
let[@inline] has r i = i >= 0 && i < most && r >= (i + 1) lsl 48

(* Added up from the top, which takes fewest steps. *)
let[@inline] pack_before pointers_at d p depth =
  (((((p lsl 6) + depth) lsl 14) + d) lsl 28) + pointers_at

let[@inline] pack_struct pos d p depth = pack_before (pos + d) d p depth
let pack_narrow pos sub log = min_int lor pos lor (sub lsl 42) lor (log lsl 45)
let[@inline] narrow_byte r = (pointers_at r lsl 3) + ((r lsr 42) land 7)
let[@inline] narrow_width r = 1 lsl ((r lsr 45) land 3)
let max_count = (1 lsl 26) - 1
let max_bytes = (1 lsl 29) - 1
let weightless = 3
let[@inline] count l = l lsr 37
let[@inline] kind l = l land 7
let[@inline] position l = (l lsr 3) land 0xfff_ffff
let[@inline] position_byte l = l land 0x7fff_fff8
let[@inline] list_depth l = (l lsr 31) land 63

(* [byte] is of the first element. *)
let[@inline] pack_list_at byte count kind depth = (((count lsl 6) + depth) lsl 31) + byte + kind
let[@inline] pack_list pos count kind depth = pack_list_at (pos lsl 3) count kind depth
let[@inline] pack_blob byte len = byte + (len lsl 31)
let[@inline] blob_byte t = t land 0x7fff_ffff
let[@inline] blob_length t = t lsr 31
let void = 0
let bit = 1
let byte = 2
let pointer = 6
let composite = 7

(* Where the pad of the far pointer [lo] at [p] is; its segment is entered. *)
let[@inline never] landing m p lo ~pad =
  let id = high m p and off = (lo lsr 3) land 0x1fff_ffff in
  if id >= Array.length m.starts - 1 then fail p "far pointer to a segment that is not there";
  let first = m.starts.(id) and stop = m.starts.(id + 1) in
  if first + off + pad > stop then fail p "far pointer outside its segment";
  Unsafe.set_bounds m first stop;
  first + off

(* [through m p lo near wide] follows a far pointer: [near q] for a pad that is an ordinary pointer
   at [q], [wide target tag] for one that says where the object is and then, at [tag], what it is. *)
let[@inline never] through m p lo near wide =
  if lo land 4 = 0 then (
    let q = landing m p lo ~pad:1 in
    if low m q land 3 = 2 then fail q "far pointer to a far pointer";
    near q)
  else
    let q = landing m p lo ~pad:2 in
    let far = low m q in
    if far land 7 <> 2 then fail q "the pad of a double far pointer";
    let tag = low m (q + 1) in
    if tag land 3 = 2 || tag asr 2 <> 0 then fail q "the tag of a double far pointer";
    let target = landing m q far ~pad:0 in
    wide target (q + 1)

(* A pad that is null: as in the reference implementation it stands for a struct of no words, which is
   there, and for nothing else. *)
let null_at m q = low m q lor high m q = 0

let[@inline never] checked_struct m target hi depth =
  let d = hi land 0xffff and p = hi lsr 16 in
  let size = d + p in
  if target < m.lo || target + size > m.hi then fail target "struct outside its segment";
  charge m target (if size = 0 then 1 else size);
  if depth <= 0 then fail target "nested too deep";
  if d > most || p > most then fail target "struct of more than 16,383 words or pointers";
  pack_struct target d p (depth - 1)

let rec struct_slowly m p depth =
  let lo = low m p in
  if lo land 3 = 0 then
    let hi = high m p in
    if lo lor hi = 0 then 0
    else (
      if p < m.lo || p >= m.hi then enter m p;
      checked_struct m (p + 1 + (lo asr 2)) hi depth)
  else if lo land 3 = 2 then
    through m p lo
      (fun q -> struct_slowly m q depth)
      (fun target tag ->
        if low m tag land 3 <> 0 then fail tag "a list where a struct should be";
        checked_struct m target (high m tag) depth)
  else fail p "not a struct"

(* The ordinary case of each kind of pointer comes first, in one piece: in the first segment, near,
   well formed and within the budget. All else goes the slow way, which says what is wrong. *)
let[@inline never] struct_ m p depth =
  let at = m.base + (p lsl 3) in
  if at < m.near then
    let w = Word.int64 m.buf at in
    let hi = upper w and target = p + 1 + ((Int64.to_int w lsl 31) asr 33) in
    let d = hi land 0xffff and n = top w in
    let left = m.budget - d - n in
    if
      Int64.to_int w land 3 = 0
      && hi <> 0 && target >= 0
      && m.base + ((target + d + n) lsl 3) <= m.near
      && left >= 0 && depth > 0 && d <= most && n <= most
    then (
      set_traversal m left;
      pack_struct target d n (depth - 1))
    else struct_slowly m p depth
  else struct_slowly m p depth

let bits = [| 0; 1; 8; 16; 32; 64; 64; 0 |]

(* Of a list of no structs. *)
let[@inline] element_words kind count = ((count * bits.(kind)) + 63) lsr 6

(* What a reader expects: [any], or elements of a kind. Longer data elements and structs may stand
   for shorter data, and anything but bits for structs, so that schemas can grow. *)
let any = -1

let fits ~want kind ~d ~p =
  want = any || want = kind
  || (want = void && kind <> composite)
  ||
  if kind = composite then
    if want = pointer then p > 0 else want = void || (want > bit && want < pointer && d > 0)
  else if want = composite then kind <> bit
  else want > bit && want < pointer && kind < pointer && bits.(kind) >= bits.(want)

let[@inline never] checked_list m target hi depth want =
  let kind = hi land 7 and n = hi lsr 3 in
  if depth <= 0 then fail target "nested too deep";
  if kind = composite then (
    if target < m.lo || target + n + 1 > m.hi then fail target "list outside its segment";
    let lo = low m target and tag = high m target in
    let count = (lo lsr 2) land 0x3fff_ffff and d = tag land 0xffff and p = tag lsr 16 in
    if lo land 3 <> 0 then fail target "the tag of a struct list is not a struct's";
    if d > most || p > most then fail target "struct of more than 16,383 words or pointers";
    if count * (d + p) > n then fail target "struct list longer than its words";
    if count > max_count then fail target "list of more than 67,108,863 elements";
    charge m target (n + 1);
    if d + p = 0 then charge m target count;
    if not (fits ~want kind ~d ~p) then fail target "list of another element type";
    if depth = 1 && count > 0 then fail target "nested too deep";
    pack_list (target + 1) count kind (Int.max 0 (depth - 2)))
  else
    let words = element_words kind n in
    if target < m.lo || target + words > m.hi then fail target "list outside its segment";
    if n > max_count then fail target "list of more than 67,108,863 elements";
    charge m target (if kind = void then n else words + 1);
    if not (fits ~want kind ~d:0 ~p:0) then fail target "list of another element type";
    pack_list target n kind (depth - 1)

let rec list_slowly m p depth want =
  let lo = low m p in
  if lo land 3 = 1 then (
    if p < m.lo || p >= m.hi then enter m p;
    checked_list m (p + 1 + (lo asr 2)) (high m p) depth want)
  else if lo land 3 = 2 then
    through m p lo
      (fun q -> if null_at m q then fail q "not a list" else list_slowly m q depth want)
      (fun target tag ->
        if low m tag land 3 <> 1 then fail tag "a struct where a list should be";
        checked_list m target (high m tag) depth want)
  else if lo lor high m p = 0 then 0
  else fail p "not a list"

(* A list pointer (1) forward to elements of a kind; forward, so that the target cannot lie before
   the segment. *)
let[@inline] is_forward w kind = Int64.to_int w land 0x7_8000_0003 = (kind lsl 32) lor 1

(* The target's byte then, the pointer's being [at]: bits 2 to 31 count words. *)
let[@inline] forward w at = at + 6 + ((Int64.to_int w lsl 32) lsr 31)
let[@inline] eighth_of w = Int64.to_int (Int64.shift_right_logical w 38)
let[@inline] length_of w = Int64.to_int (Int64.shift_right_logical w 35)

(* Structs, [n] words of them after a tag at byte [at]. *)
let[@inline] near_structs m p depth at n =
  if at + (n lsl 3) < m.near && depth > 1 then
    let tag = Word.int64 m.buf at in
    let lo = Int64.to_int tag land 0xffff_ffff and sizes = upper tag in
    let d = sizes land 0xffff and pc = top tag in
    let count = lo lsr 2 and left = m.budget - n - 1 in
    if
      lo land 3 = 0
      && sizes > 0 && d <= most && pc <= most && n <= max_count
      && count * (d + pc) <= n
      && left >= 0
    then (
      set_traversal m left;
      pack_list_at (at + 8 - m.base) count composite (depth - 2))
    else list_slowly m p depth composite
  else list_slowly m p depth composite

(* Lists of structs and of the very kind that is wanted. *)
let[@inline never] list m p depth want =
  let at = m.base + (p lsl 3) in
  if at < m.near then
    let w = Word.int64 m.buf at in
    if is_forward w want && want > void then
      let target = forward w at and n = length_of w in
      if want = composite then near_structs m p depth target n
      else
        let words = element_words want n in
        let left = m.budget - words - 1 in
        if target + (words lsl 3) <= m.near && left >= 0 && depth > 0 && n <= max_count then (
          set_traversal m left;
          pack_list_at (target - m.base) n want (depth - 1))
        else list_slowly m p depth want
    else list_slowly m p depth want
  else list_slowly m p depth want

let[@inline never] checked_blob m target hi ~text =
  if hi land 7 <> byte then fail target "not a list of bytes";
  let n = hi lsr 3 in
  if target < m.lo || target + ((n + 7) lsr 3) > m.hi then fail target "bytes outside their segment";
  charge m target ((n lsr 3) + 1);
  if text then (
    if n = 0 || Bytes.get_uint8 m.buf (m.base + (target lsl 3) + n - 1) <> 0 then
      fail target "text without its final zero byte";
    pack_blob (target lsl 3) (n - 1))
  else pack_blob (target lsl 3) n

let rec blob_slowly m p ~text =
  let lo = low m p in
  if lo land 3 = 1 then (
    if p < m.lo || p >= m.hi then enter m p;
    checked_blob m (p + 1 + (lo asr 2)) (high m p) ~text)
  else if lo land 3 = 2 then
    through m p lo
      (fun q -> if null_at m q then fail q "not a list of bytes" else blob_slowly m q ~text)
      (fun target tag ->
        if low m tag land 3 <> 1 then fail tag "a struct where bytes should be";
        checked_blob m target (high m tag) ~text)
  else if lo lor high m p = 0 then 0
  else fail p "not a list of bytes"

let text_slowly m p = blob_slowly m p ~text:true

let[@inline never] text m p =
  let at = m.base + (p lsl 3) in
  if at < m.near then
    let w = Word.int64 m.buf at in
    if w = 0L then 0
    else
      let n = length_of w and target = forward w at in
      let left = m.budget - 1 - eighth_of w in
      if
        is_forward w byte && n > 0
        && target + n <= m.near
        && left >= 0
        && Word.uint8 m.buf (target + n - 1) = 0
      then (
        set_traversal m left;
        pack_blob (target - m.base) (n - 1))
      else text_slowly m p
  else text_slowly m p

(* Of a string of [n] bytes, with its header. *)
let[@inline] string_words n = (n lsr 3) + 2

let[@inline never] string_slowly m p =
  let t = blob_slowly m p ~text:true in
  let n = blob_length t in
  if n = 0 then ""
  else (
    spend m p (string_words n);
    Weir_base.Unsafe.Short.sub m.buf (m.base + blob_byte t) n)

(* [string m p] is a copy of the text; {!text} without the handle between. *)
let[@inline never] string m p =
  let at = m.base + (p lsl 3) in
  if at < m.near then
    let w = Word.int64 m.buf at in
    if w = 0L then ""
    else
      let n = length_of w and target = forward w at in
      let eighth = eighth_of w in
      let left = m.budget - 1 - eighth and memory = m.memory - 2 - eighth in
      if
        is_forward w byte && n > 1
        && target + n <= m.near
        && left lor memory >= 0
        && Word.uint8 m.buf (target + n - 1) = 0
      then (
        set_traversal m left;
        set_memory m memory;
        Weir_base.Unsafe.Short.sub m.buf target (n - 1))
      else string_slowly m p
  else string_slowly m p

(* The kind of the list that [p] points to. *)
let rec kind_at m p =
  let lo = low m p in
  if lo land 3 = 2 then through m p lo (fun q -> kind_at m q) (fun _ tag -> high m tag land 7)
  else high m p land 7

let blob m p ~text:t = if t then text m p else blob_slowly m p ~text:false

type what = Null | Struct | List | Capability of int

let rec what m p =
  let lo = low m p and hi = high m p in
  if lo lor hi = 0 then Null
  else
    match lo land 3 with
    | 0 -> Struct
    | 1 -> List
    | 2 ->
        through m p lo
          (fun q -> if null_at m q then Struct else what m q)
          (fun _ tag -> if low m tag land 3 = 0 then Struct else List)
    | _ -> if lo land 0xffff_ffff = 3 then Capability hi else fail p "a pointer of no known kind"
