(* [data] has a power-of-two length (or is empty); [start] is masked into it.
   Invariant: only [blit_ahead] writes past the tail, so
   growing moves [length + ahead] bytes. *)

type t = {
  mutable capacity : int;
  budget : Budget.t;
  shown : bool;  (** readers may use the storage until its bytes are dropped *)
  mutable data : Bytes.t;
  mutable start : int;
  mutable length : int;
  mutable ahead : int;  (** bytes past the tail that may have been written *)
}

let smallest = Budget.smallest_spare
let unbounded = Budget.create ~limit:max_int

(* Bounds the doubling in [power_of_two]. *)
let largest = Sys.max_string_length / 4
let clamp n = Int.max 0 (Int.min n largest)

let create ?(budget = unbounded) ?(shown = true) ~capacity () =
  { capacity = clamp capacity; budget; shown; data = Bytes.empty; start = 0; length = 0; ahead = 0 }

let capacity t = t.capacity
let length t = t.length
let set_capacity t n = t.capacity <- clamp n
let free t = Int.max 0 (t.capacity - t.length)
let storage t = Bytes.length t.data

(* Copies bytes out; the range may wrap around the end of the storage. *)
let copy_out t ~from dst ~off ~len =
  let size = Bytes.length t.data in
  let pos = (t.start + from) land (size - 1) in
  let first = Int.min len (size - pos) in
  Bytes.blit t.data pos dst off first;
  if first < len then Bytes.blit t.data 0 dst (off + first) (len - first)

let rec power_of_two n need = if n >= need then n else power_of_two (2 * n) need

(* All rings without a budget share [unbounded], so nothing is counted in it. *)
let set_data t data =
  if t.budget != unbounded then (
    Budget.give t.budget (Bytes.length t.data);
    Budget.take t.budget (Bytes.length data));
  t.data <- data;
  t.start <- 0

let spare t storage =
  let size = Bytes.length storage in
  size > 0 && size <= Budget.largest_spare && t.budget != unbounded
  && Budget.accept t.budget storage

let move t size =
  let data = if t.budget == unbounded then Bytes.create size else Budget.storage t.budget size in
  let used = t.length + t.ahead in
  if used > 0 then copy_out t ~from:0 data ~off:0 ~len:used;
  let old = t.data in
  set_data t data;
  if not t.shown then ignore (spare t old : bool)

let reserve t need = if need > Bytes.length t.data then move t (power_of_two smallest need)
let make_room t n = if n > 0 && n <= free t then reserve t (t.length + Int.max n t.ahead)

(* Checks the source first, so that no more is allocated than it can fill. *)
let reserve_for t need src len =
  if need > Bytes.length t.data then (
    if len > Bytes.length src then invalid_arg "Byte_ring: offset or length out of bounds";
    move t (power_of_two smallest need))

let affords t n =
  let need = t.length + n in
  need <= Bytes.length t.data
  || Budget.fits t.budget (power_of_two smallest need - Bytes.length t.data)

let copy_in t ~at src ~off ~len =
  let size = Bytes.length t.data in
  let pos = (t.start + at) land (size - 1) in
  let first = Int.min len (size - pos) in
  Bytes.blit src off t.data pos first;
  if first < len then Bytes.blit src (off + first) t.data 0 (len - first)

let blit_ahead t ~at src ~off ~len =
  if len < 0 || at < 0 || at > free t - len then invalid_arg "Byte_ring.blit_ahead";
  if len > 0 then (
    reserve_for t (t.length + at + len) src len;
    copy_in t ~at:(t.length + at) src ~off ~len;
    if at + len > t.ahead then t.ahead <- at + len)

let extend t n =
  if n < 0 || n > free t || n > Bytes.length t.data - t.length then invalid_arg "Byte_ring.extend";
  t.length <- t.length + n;
  t.ahead <- Int.max 0 (t.ahead - n)

let write t src ~off ~len =
  if len < 0 || len > free t then invalid_arg "Byte_ring.write";
  if len > 0 then (
    reserve_for t (t.length + Int.max len t.ahead) src len;
    copy_in t ~at:t.length src ~off ~len;
    extend t len)

let check_peek t ~at ~len =
  if at < 0 || len < 0 || at > t.length - len then invalid_arg "Byte_ring.peek"

let peek t ~at dst ~off ~len =
  check_peek t ~at ~len;
  if len > 0 then copy_out t ~from:at dst ~off ~len

let place t ~at ~len =
  check_peek t ~at ~len;
  (t.start + at) land (Bytes.length t.data - 1)

let contents t = t.data

let peek_sum t ~at dst ~off ~len =
  check_peek t ~at ~len;
  if len = 0 then 0
  else
    let size = Bytes.length t.data in
    let pos = (t.start + at) land (size - 1) in
    if pos + len <= size then Checksum.blit_sum t.data ~src_off:pos dst ~dst_off:off ~len
    else (
      copy_out t ~from:at dst ~off ~len;
      Checksum.sum dst ~off ~len)

(* Called only after the bytes are dropped: until then a reader may use them. *)
let give_storage t = if spare t t.data then set_data t Bytes.empty

let drop t n =
  if n < 0 || n > t.length then invalid_arg "Byte_ring.drop";
  t.length <- t.length - n;
  if t.length + t.ahead = 0 then (
    t.start <- 0;
    if Bytes.length t.data <= Budget.largest_spare then give_storage t)
  else t.start <- (t.start + n) land (Bytes.length t.data - 1)

let read t dst ~off ~len =
  let n = Int.min len t.length in
  peek t ~at:0 dst ~off ~len:n;
  drop t n;
  n

let head t f =
  let size = Bytes.length t.data in
  f t.data t.start (Int.min t.length (size - t.start))

let tail t f ~want =
  let want = Int.min want (free t) in
  if want = 0 then f t.data 0 0
  else (
    reserve t (t.length + Int.max want t.ahead);
    let size = Bytes.length t.data in
    let pos = (t.start + t.length) land (size - 1) in
    f t.data pos (Int.min want (size - pos)))

let trim t =
  let used = t.length + t.ahead in
  if used = 0 then set_data t Bytes.empty
  else
    let size = power_of_two smallest used in
    if 2 * size <= Bytes.length t.data then move t size

let clear t =
  set_data t Bytes.empty;
  t.length <- 0;
  t.ahead <- 0
