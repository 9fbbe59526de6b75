external uint8 : Bytes.t -> int -> int -> unit = "%bytes_unsafe_set"
external uint16 : Bytes.t -> int -> int -> unit = "%caml_bytes_set16u"
external int64 : Bytes.t -> int -> int64 -> unit = "%caml_bytes_set64u"

let[@inline] uint32 buf at v = Word.set_int32 buf at (Int32.of_int v)
let[@inline] float32 buf at v = Word.set_int32 buf at (Int32.bits_of_float v)
let[@inline] float64 buf at v = int64 buf at (Int64.bits_of_float v)
let[@inline] bit v i = Bool.to_int v lsl i

let[@inline] bool buf at bit v =
  let i = at + (bit lsr 3) and shift = bit land 7 in
  uint8 buf i (Word.uint8 buf i land lnot (1 lsl shift) lor (Bool.to_int v lsl shift))

let[@inline] int64_xor buf at d v = int64 buf at (Int64.logxor d v)
let[@inline] float64_xor buf at d v = int64 buf at (Int64.logxor d (Int64.bits_of_float v))

let[@inline] float32_xor buf at d v =
  Word.set_int32 buf at (Int32.logxor (Int32.of_int d) (Int32.bits_of_float v))

(* The pointer at byte [at] to byte [target]: the offset counts words from the one after it. *)
let[@inline] point buf at target kind upper =
  int64 buf at
    (Int64.logor
       (Int64.of_int (((target - at - 8) lsr 1) lor kind))
       (Int64.shift_left (Int64.of_int upper) 32))

(* The same of a list (1), added up in as few steps as there can be. *)
let[@inline] point_list buf at target kind n =
  let offset = ((target - at) lsr 1) + ((kind lsl 32) + 1 - 4) in
  int64 buf at (Int64.add (Int64.shift_left (Int64.of_int n) 35) (Int64.of_int offset))

(* {1 Structs} *)

let[@inline] sizes d p = d lor (p lsl 16)
let zero = Word.zero

let[@inline] null buf at next =
  int64 buf at 0L;
  next

let[@inline] new_struct d p buf at next =
  let words = d + p in
  (* A struct of no words lies one word back, or its pointer would be null. *)
  if words = 0 then int64 buf at 0xffff_fffcL else point buf at next 0 (sizes d p);
  next + (words lsl 3)

let optional write d p buf at v next =
  match v with None -> null buf at next | Some v -> write buf next v (new_struct d p buf at next)

let rec fill_structs write buf at step l next =
  match l with
  | [] -> next
  | v :: rest -> fill_structs write buf (at + step) step rest (write buf at v next)

let[@inline never] start_structs n d p buf at next =
  let bare = d + p = 0 && n > Pointer.weightless in
  let d = if bare then 1 else d in
  let words = n * (d + p) in
  if bare then Word.zero buf (next + 8) words;
  point_list buf at next Pointer.composite words;
  int64 buf next
    (Int64.logor (Int64.of_int (n lsl 2)) (Int64.shift_left (Int64.of_int (sizes d p)) 32));
  next + 8 + (words lsl 3)

let[@inline never] structs write d p buf at l next =
  match l with
  | [] -> null buf at next
  | l ->
      let free = start_structs (List.length l) d p buf at next in
      fill_structs write buf (next + 8) ((d + p) lsl 3) l free

let empty_structs d p buf at next = start_structs 0 d p buf at next

(* {1 Bytes} *)

(* The pointer and the last word, in which the bytes may end. *)
let[@inline] start_bytes buf at total next =
  let stop = next + ((total + 7) land lnot 7) in
  point_list buf at next Pointer.byte total;
  int64 buf (stop - 8) 0L;
  stop

let[@inline never] long_bytes buf at s total next =
  if total > Pointer.max_bytes then invalid_arg "Cap'n Proto: text or data of 512 MiB or more";
  let stop = start_bytes buf at total next in
  Bytes.unsafe_blit_string s 0 buf next (String.length s);
  stop

let[@inline] bytes buf at s n total next =
  if n > Weir_base.Unsafe.Short.limit then long_bytes buf at s total next
  else
    let stop = start_bytes buf at total next in
    Weir_base.Unsafe.Short.blit (Bytes.unsafe_of_string s) 0 buf next n;
    stop

let[@inline never] text buf at s next =
  let n = String.length s in
  if n = 0 then null buf at next else bytes buf at s n (n + 1) next

let[@inline never] data buf at s next =
  let n = String.length s in
  if n = 0 then null buf at next else bytes buf at s n n next

let empty_text buf at next = start_bytes buf at 1 next

let empty_items kind buf at next =
  point_list buf at next kind 0;
  next

(* {1 Lists} *)

let capability buf at = function
  | None -> int64 buf at 0L
  | Some n -> int64 buf at (Int64.logor 3L (Int64.shift_left (Int64.of_int n) 32))

let rec fill_pointers write buf at l next =
  match l with
  | [] -> next
  | v :: rest -> fill_pointers write buf (at + 8) rest (write buf at v next)

let[@inline never] pointers write buf at l next =
  match l with
  | [] -> null buf at next
  | l ->
      let n = List.length l in
      point_list buf at next Pointer.pointer n;
      fill_pointers write buf next l (next + (n lsl 3))

let capabilities buf at l next =
  pointers
    (fun buf at v next ->
      capability buf at v;
      next)
    buf at l next

let rec fill put buf at width = function
  | [] -> ()
  | v :: rest ->
      put buf at v;
      fill put buf (at + width) width rest

(* A list of data elements of [width] bytes; the last word may end in padding. *)
let[@inline never] items kind width put buf at l next =
  match l with
  | [] -> null buf at next
  | l ->
      let n = List.length l in
      let room = ((n * width) + 7) land lnot 7 in
      point_list buf at next kind n;
      int64 buf (next + room - 8) 0L;
      fill put buf next width l;
      next + room

let voids buf at n next =
  if n = 0 then null buf at next
  else if n > Pointer.weightless then (
    let words = (n + 7) lsr 3 in
    point_list buf at next Pointer.byte n;
    Word.zero buf next words;
    next + (words lsl 3))
  else (
    point_list buf at next Pointer.void n;
    next)

let octets = data
let int16s buf at l next = items 3 2 (fun buf at v -> uint16 buf at v) buf at l next
let float32s buf at l next = items 4 4 (fun buf at v -> float32 buf at v) buf at l next
let float64s buf at l next = items 5 8 (fun buf at v -> float64 buf at v) buf at l next
let enums to_int buf at l next = items 3 2 (fun buf at v -> uint16 buf at (to_int v)) buf at l next

(* Spelt out: the commonest numbers. How many there are is known from where they end. *)
let rec fill_int32s buf at = function
  | [] -> at
  | v :: rest ->
      uint32 buf at v;
      fill_int32s buf (at + 4) rest

let[@inline never] int32s buf at l next =
  match l with
  | [] -> null buf at next
  | l ->
      let stop = fill_int32s buf next l in
      point_list buf at next 4 ((stop - next) lsr 2);
      if stop land 7 = 0 then stop
      else (
        uint32 buf stop 0;
        stop + 4)

let rec fill_int64s buf at = function
  | [] -> at
  | v :: rest ->
      int64 buf at v;
      fill_int64s buf (at + 8) rest

let[@inline never] int64s buf at l next =
  match l with
  | [] -> null buf at next
  | l ->
      let stop = fill_int64s buf next l in
      point_list buf at next 5 ((stop - next) lsr 3);
      stop

let bits buf at v next =
  let n = Bits.length v in
  if n = 0 then null buf at next
  else
    let s = Bits.bytes v and stop = next + (((n + 63) lsr 6) lsl 3) in
    point_list buf at next Pointer.bit n;
    int64 buf (stop - 8) 0L;
    Bytes.blit_string s 0 buf next (String.length s);
    stop
