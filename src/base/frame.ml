type checksum = Unverified | Verified | Partial

(* The owner: the pool, a user, or a queue. *)
type holder = Pool | User | Queue

type t = {
  data : Bytes.t;
  mutable off : int;
  mutable len : int;
  mutable checksum : checksum;
  mutable segment_size : int;
  mutable tail : Bytes.t;
  mutable tail_at : int;
  mutable tail_len : int;
  mutable holder : holder;
  pool : pool;
}

(* Only the home domain uses [free] and [count], without a lock. Other domains release and
   allocate through [returned]. *)
and pool = {
  size : int;
  keep : int;
  home : Domain.id;
  mutable free : t array;
  mutable count : int;
  lock : Mutex.t;
  mutable returned : t list;
  mutable returned_count : int;
}

let pool ?(keep = 1024) ~size () =
  {
    size;
    keep;
    home = Domain.self ();
    free = [||];
    count = 0;
    lock = Mutex.create ();
    returned = [];
    returned_count = 0;
  }

let size p = p.size

let make pool data =
  {
    data;
    off = 0;
    len = 0;
    checksum = Unverified;
    segment_size = 0;
    tail = Bytes.empty;
    tail_at = 0;
    tail_len = 0;
    holder = User;
    pool;
  }

let none = make (pool ~size:0 ~keep:0 ()) Bytes.empty
let fresh pool = make pool (Bytes.create pool.size)

let reset f =
  f.off <- 0;
  f.len <- 0;
  f.checksum <- Unverified;
  f.segment_size <- 0;
  f.holder <- User;
  f

let[@inline] set f ~off ~len =
  if off < 0 || len < 0 || off > Bytes.length f.data - len then invalid_arg "Frame.set";
  f.off <- off;
  f.len <- len

let set_length f len = set f ~off:f.off ~len
let set_checksum f checksum = f.checksum <- checksum

let set_segment_size f n =
  if n < 0 then invalid_arg "Frame.set_segment_size";
  f.segment_size <- n

let length f = f.len + f.tail_len

let drop_tail f =
  if f.tail_len > 0 then (
    f.tail <- Bytes.empty;
    f.tail_len <- 0)

let set_tail f ring ~at ~len =
  let size = Bytes.length ring in
  if at < 0 || len < 0 || len > size || at > size then invalid_arg "Frame.set_tail";
  f.tail <- ring;
  f.tail_at <- at;
  f.tail_len <- len

let take_tail f =
  if f.tail_len > 0 then (
    let at = f.off + f.len in
    if f.tail_len > Bytes.length f.data - at then invalid_arg "Frame.take_tail";
    let first = Int.min f.tail_len (Bytes.length f.tail - f.tail_at) in
    Bytes.blit f.tail f.tail_at f.data at first;
    Bytes.blit f.tail 0 f.data (at + first) (f.tail_len - first);
    f.len <- f.len + f.tail_len;
    drop_tail f)

(* -- owners -------------------------------------------------------------- *)

let not_owned () = invalid_arg "Frame: this frame was already released or sent"
let[@inline] check_owned f = if f.holder <> User then not_owned ()

let[@inline] enqueue f =
  check_owned f;
  f.holder <- Queue

let[@inline] dequeue f = if f != none then f.holder <- User

let keep_free pool f =
  if pool.count < pool.keep then (
    if Array.length pool.free = 0 then pool.free <- Array.make pool.keep none;
    pool.free.(pool.count) <- f;
    pool.count <- pool.count + 1)

let give_back f =
  let pool = f.pool in
  drop_tail f;
  f.holder <- Pool;
  if Domain.self () = pool.home then keep_free pool f
  else (
    Mutex.lock pool.lock;
    if pool.returned_count < pool.keep then (
      pool.returned <- f :: pool.returned;
      pool.returned_count <- pool.returned_count + 1);
    Mutex.unlock pool.lock)

let release f =
  if f != none then (
    check_owned f;
    give_back f)

let take_returned pool =
  Mutex.lock pool.lock;
  let returned = pool.returned in
  pool.returned <- [];
  pool.returned_count <- 0;
  Mutex.unlock pool.lock;
  List.iter (keep_free pool) returned

let alloc_abroad pool =
  Mutex.lock pool.lock;
  match pool.returned with
  | [] ->
      Mutex.unlock pool.lock;
      fresh pool
  | f :: rest ->
      pool.returned <- rest;
      pool.returned_count <- pool.returned_count - 1;
      Mutex.unlock pool.lock;
      reset f

let alloc pool =
  if Domain.self () <> pool.home then alloc_abroad pool
  else (
    if pool.count = 0 && pool.returned_count > 0 then take_returned pool;
    if pool.count = 0 then fresh pool
    else (
      pool.count <- pool.count - 1;
      reset pool.free.(pool.count)))

let copy pool f =
  let c = alloc pool in
  Bytes.blit f.data f.off c.data 0 f.len;
  c.len <- f.len;
  c.checksum <- f.checksum;
  c.segment_size <- f.segment_size;
  c
