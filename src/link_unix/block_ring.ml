type block = {
  bytes : Cstruct.t;
  mutable whole : int;
  mutable saved : int;
  mutable saved_records : int;
  mutable ends_file : bool;
}

type t = {
  size : int;
  most : int;
  full : block list Atomic.t;  (** the latest first *)
  free : block list Atomic.t;
  waiting : int Atomic.t;
  current : block Atomic.t;
  mutable made : int;
  mutable popped : block list;  (** taken from [full], the oldest first *)
}

let bytes_of whole = whole land 0xffff_ffff
let records_of whole = whole lsr 32
let whole ~bytes ~records = (records lsl 32) lor bytes

let make size =
  { bytes = Cstruct.create_unsafe size; whole = 0; saved = 0; saved_records = 0; ends_file = false }

let create ~size ~most =
  {
    size;
    most = Int.max 2 most;
    full = Atomic.make [];
    free = Atomic.make [];
    waiting = Atomic.make 0;
    current = Atomic.make (make size);
    made = 1;
    popped = [];
  }

let rec push list b =
  let blocks = Atomic.get list in
  if not (Atomic.compare_and_set list blocks (b :: blocks)) then push list b

let current t = Atomic.get t.current

(* Only one domain takes blocks, so the first block cannot be taken and put back in between. *)
let rec take t =
  match Atomic.get t.free with
  | b :: rest as blocks -> if Atomic.compare_and_set t.free blocks rest then Some b else take t
  | [] when t.made < t.most ->
      t.made <- t.made + 1;
      Some (make t.size)
  | [] -> None

let made t = t.made

(* The order matters: a domain that sees the next block as the current one must see this one
   waiting. *)
let hand_over t next =
  Atomic.incr t.waiting;
  push t.full (Atomic.get t.current);
  Atomic.set t.current next

let waiting t = Atomic.get t.waiting

let pop t =
  if List.is_empty t.popped then t.popped <- List.rev (Atomic.exchange t.full []);
  match t.popped with
  | [] -> None
  | b :: rest ->
      t.popped <- rest;
      Some b

let give_back t b =
  b.whole <- 0;
  b.saved <- 0;
  b.saved_records <- 0;
  b.ends_file <- false;
  push t.free b;
  Atomic.decr t.waiting
