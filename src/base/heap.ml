(* A 4-ary heap in one array of ints, with [width] ints for each place: the key, the insertion
   number, and the value's slot. Moving an entry reads and writes this array alone, not the values,
   so it needs less of the processor's cache. *)
type 'a t = {
  mutable order : int array;
  mutable places : int array;  (** the place of a slot in use; [free_mark next] for a free slot *)
  mutable values : 'a option array;  (** by slot *)
  mutable free : int;  (** the first free slot, -1 if none *)
  mutable length : int;
  mutable next_seq : int;
  moved : 'a -> int -> unit;
}

let width = 3
let smallest = 16

let create ?(moved = fun _ _ -> ()) () =
  { order = [||]; places = [||]; values = [||]; free = -1; length = 0; next_seq = 0; moved }

let length t = t.length
let is_empty t = t.length = 0
let[@inline] free_mark next = -2 - next
let[@inline] key t i = t.order.(width * i)
let min_key t = if t.length = 0 then max_int else t.order.(0)

let[@inline] is_before t i ~key:k ~seq =
  let at = key t i in
  at < k || (at = k && t.order.((width * i) + 1) < seq)

let[@inline] place t i ~key ~seq ~slot =
  let at = width * i in
  t.order.(at) <- key;
  t.order.(at + 1) <- seq;
  t.order.(at + 2) <- slot;
  t.places.(slot) <- i

let[@inline] move t ~from i =
  let at = width * from in
  place t i ~key:t.order.(at) ~seq:t.order.(at + 1) ~slot:t.order.(at + 2)

let rec sift_up t i ~key ~seq ~slot =
  let parent = (i - 1) / 4 in
  if i > 0 && not (is_before t parent ~key ~seq) then (
    move t ~from:parent i;
    sift_up t parent ~key ~seq ~slot)
  else place t i ~key ~seq ~slot

let rec least t best i stop =
  if i >= stop then best
  else
    let at = width * best in
    let best = if is_before t i ~key:t.order.(at) ~seq:t.order.(at + 1) then i else best in
    least t best (i + 1) stop

let rec sift_down t i ~key ~seq ~slot =
  let first = (4 * i) + 1 in
  if first >= t.length then place t i ~key ~seq ~slot
  else
    let child = least t first (first + 1) (Int.min t.length (first + 4)) in
    if is_before t child ~key ~seq then (
      move t ~from:child i;
      sift_down t child ~key ~seq ~slot)
    else place t i ~key ~seq ~slot

let larger a n = Array.append a (Array.make (n - Array.length a) 0)

let grow t =
  let old = Array.length t.places in
  let n = Int.max smallest (2 * old) in
  t.order <- larger t.order (width * n);
  t.places <- larger t.places n;
  t.values <- Array.append t.values (Array.make (n - old) None);
  for slot = n - 1 downto old do
    t.places.(slot) <- free_mark t.free;
    t.free <- slot
  done

let add t ~key value =
  if t.free < 0 then grow t;
  let slot = t.free and seq = t.next_seq in
  t.free <- free_mark t.places.(slot);
  t.values.(slot) <- Some value;
  t.next_seq <- seq + 1;
  t.length <- t.length + 1;
  sift_up t (t.length - 1) ~key ~seq ~slot;
  t.moved value slot

let clear t =
  t.order <- [||];
  t.places <- [||];
  t.values <- [||];
  t.free <- -1;
  t.length <- 0

(* The last entry takes the place. *)
let fill t i =
  let last = t.length - 1 in
  t.length <- last;
  if i < last then
    let at = width * last in
    let key = t.order.(at) and seq = t.order.(at + 1) and slot = t.order.(at + 2) in
    if i > 0 && not (is_before t ((i - 1) / 4) ~key ~seq) then sift_up t i ~key ~seq ~slot
    else sift_down t i ~key ~seq ~slot

let take t slot =
  let i = t.places.(slot) and value = t.values.(slot) in
  t.values.(slot) <- None;
  t.places.(slot) <- free_mark t.free;
  t.free <- slot;
  fill t i;
  if t.length = 0 && Array.length t.places > smallest then clear t;
  (match value with Some v -> t.moved v (-1) | None -> ());
  value

let remove t slot =
  if slot < 0 || slot >= Array.length t.places || t.places.(slot) < 0 then invalid_arg "Heap.remove";
  ignore (take t slot : _ option)

let pop t = if t.length = 0 then None else take t t.order.(2)
