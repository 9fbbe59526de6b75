type t = {
  pool : Buffers.t;
  small : Bytes.t;
  mutable data : Bytes.t;
  mutable start : int;
  mutable stop : int;
  mutable position : int;
}

(* The longest that is allocated in the minor heap: a connection often lives no longer. *)
let small_size = 2_040

let create pool =
  let small = Bytes.create small_size in
  { pool; small; data = small; start = 0; stop = 0; position = 0 }

let length t = t.stop - t.start
let room t = Bytes.length t.data - t.stop

let replace t data =
  Bytes.blit t.data t.start data 0 (length t);
  let old = t.data in
  t.stop <- length t;
  t.start <- 0;
  t.data <- data;
  if old != t.small then Buffers.give t.pool old

let make_room t ~large =
  if t.start = t.stop then (
    t.start <- 0;
    t.stop <- 0;
    if large && Bytes.length t.data < Buffers.scarce t.pool then
      replace t (Buffers.take t.pool ~need:small_size ~more:true))
  else if room t = 0 then
    let size = Bytes.length t.data in
    if t.start >= size / 2 then (
      Bytes.blit t.data t.start t.data 0 (length t);
      t.stop <- length t;
      t.start <- 0)
    else replace t (Bytes.create (2 * size))

let added t n =
  if n < 0 || n > room t then invalid_arg "Input.added";
  t.stop <- t.stop + n

let drop t n =
  if n < 0 || n > length t then invalid_arg "Input.drop";
  t.start <- t.start + n;
  t.position <- t.position + n

let passed t n =
  if length t > 0 then invalid_arg "Input.passed";
  t.position <- t.position + n

let rest t =
  if t.start = t.stop && t.data != t.small then (
    t.start <- 0;
    t.stop <- 0;
    replace t t.small)

let release t =
  t.start <- t.stop;
  rest t
