type t = {
  data : Bytes.t;
  mutable off : int;
  mutable len : int;
  mutable checksums_verified : bool;
  pool : pool;
}

(* Only the home domain touches [free] and [count], without a lock. What other
   domains give back, or want, goes through [returned]. *)
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

let none =
  {
    data = Bytes.empty;
    off = 0;
    len = 0;
    checksums_verified = false;
    pool = pool ~size:0 ~keep:0 ();
  }

let fresh pool =
  { data = Bytes.create pool.size; off = 0; len = 0; checksums_verified = false; pool }

let reset f =
  f.off <- 0;
  f.len <- 0;
  f.checksums_verified <- false;
  f

let keep_free pool f =
  if pool.count < pool.keep then (
    if Array.length pool.free = 0 then pool.free <- Array.make pool.keep none;
    pool.free.(pool.count) <- f;
    pool.count <- pool.count + 1)

let release f =
  let pool = f.pool in
  if Domain.self () = pool.home then keep_free pool f
  else (
    Mutex.lock pool.lock;
    if pool.returned_count < pool.keep then (
      pool.returned <- f :: pool.returned;
      pool.returned_count <- pool.returned_count + 1);
    Mutex.unlock pool.lock)

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
  c.checksums_verified <- f.checksums_verified;
  c
