type t = {
  data : Bytes.t;
  mutable off : int;
  mutable len : int;
  mutable checksums_verified : bool;
  pool : pool;
}

and pool = {
  size : int;
  keep : int;
  mutable free : t array;
  mutable count : int;
  busy : bool Atomic.t;  (** some domain is at work on [free] and [count] *)
}

let pool ?(keep = 1024) ~size () =
  { size; keep; free = [||]; count = 0; busy = Atomic.make false }

let size p = p.size

(* Frames are given back by whoever had them last, in any domain. Who finds the
   pool busy does not wait: a fresh frame, or one for the collector, does as well. *)
let[@inline] enter pool = Atomic.compare_and_set pool.busy false true
let[@inline] leave pool = Atomic.set pool.busy false

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

let alloc pool =
  if not (enter pool) then fresh pool
  else if pool.count = 0 then (
    leave pool;
    fresh pool)
  else (
    pool.count <- pool.count - 1;
    let f = pool.free.(pool.count) in
    leave pool;
    f.off <- 0;
    f.len <- 0;
    f.checksums_verified <- false;
    f)

let release f =
  let pool = f.pool in
  if enter pool then (
    if pool.count < pool.keep then (
      if Array.length pool.free = 0 then pool.free <- Array.make pool.keep none;
      pool.free.(pool.count) <- f;
      pool.count <- pool.count + 1);
    leave pool)

let copy pool f =
  let c = alloc pool in
  Bytes.blit f.data f.off c.data 0 f.len;
  c.len <- f.len;
  c.checksums_verified <- f.checksums_verified;
  c
