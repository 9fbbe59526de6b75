type t = {
  data : Bytes.t;
  mutable off : int;
  mutable len : int;
  mutable checksums_verified : bool;
  pool : pool;
}

and pool = { size : int; keep : int; mutable free : t array; mutable count : int }

let pool ?(keep = 1024) ~size () = { size; keep; free = [||]; count = 0 }
let size p = p.size

let none =
  {
    data = Bytes.empty;
    off = 0;
    len = 0;
    checksums_verified = false;
    pool = pool ~size:0 ~keep:0 ();
  }

let alloc pool =
  if pool.count = 0 then
    { data = Bytes.create pool.size; off = 0; len = 0; checksums_verified = false; pool }
  else (
    pool.count <- pool.count - 1;
    let f = pool.free.(pool.count) in
    f.off <- 0;
    f.len <- 0;
    f.checksums_verified <- false;
    f)

let release f =
  let pool = f.pool in
  if pool.count < pool.keep then (
    if Array.length pool.free = 0 then pool.free <- Array.make pool.keep none;
    pool.free.(pool.count) <- f;
    pool.count <- pool.count + 1)

let copy pool f =
  let c = alloc pool in
  Bytes.blit f.data f.off c.data 0 f.len;
  c.len <- f.len;
  c.checksums_verified <- f.checksums_verified;
  c
