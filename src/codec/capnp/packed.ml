open Message

let zero_bytes s i =
  let n = ref 0 in
  for j = i to i + 7 do
    if Bytes.get s j = '\000' then incr n
  done;
  !n

(* How many words from [i] on, at most 255, satisfy [f]. *)
let run s i stop f =
  let n = ref 0 in
  while !n < 255 && i + (8 * !n) < stop && f (zero_bytes s (i + (8 * !n))) do
    incr n
  done;
  !n

let add s ~off ~len out =
  if off < 0 || len < 0 || off > Bytes.length s - len || len land 7 <> 0 then
    invalid_arg "Packed.add";
  let stop = off + len in
  let i = ref off in
  while !i < stop do
    let tag = ref 0 in
    for j = 7 downto 0 do
      tag := (!tag lsl 1) lor if Bytes.get s (!i + j) = '\000' then 0 else 1
    done;
    Buffer.add_uint8 out !tag;
    for j = 0 to 7 do
      if Bytes.get s (!i + j) <> '\000' then Buffer.add_char out (Bytes.get s (!i + j))
    done;
    i := !i + 8;
    if !tag = 0 then (
      let n = run s !i stop (fun zeros -> zeros = 8) in
      Buffer.add_uint8 out n;
      i := !i + (8 * n))
    else if !tag = 0xff then (
      (* A word with two zero bytes or more is shorter on its own. *)
      let n = run s !i stop (fun zeros -> zeros < 2) in
      Buffer.add_uint8 out n;
      Buffer.add_subbytes out s !i (8 * n);
      i := !i + (8 * n))
  done

let pack s =
  let out = Buffer.create (String.length s) in
  add (Bytes.unsafe_of_string s) ~off:0 ~len:(String.length s) out;
  Buffer.contents out

let of_builder b =
  Builder.framed b (fun s off len ->
      let out = Buffer.create len in
      add s ~off ~len out;
      Buffer.contents out)

type state = { src : Bytes.t; stop : int; mutable at : int; out : Buffer.t; limit : int }

let next st =
  if st.at >= st.stop then fail (Buffer.length st.out / 8) "packed data are cut off";
  let c = Bytes.get_uint8 st.src st.at in
  st.at <- st.at + 1;
  c

let room st n =
  if Buffer.length st.out + n > st.limit then
    fail (Buffer.length st.out / 8) "packed data unpack to more than the limit"

let step st =
  let tag = next st in
  room st 8;
  for j = 0 to 7 do
    Buffer.add_uint8 st.out (if tag land (1 lsl j) <> 0 then next st else 0)
  done;
  if tag = 0 then (
    let n = 8 * next st in
    room st n;
    for _ = 1 to n / 8 do
      Buffer.add_int64_le st.out 0L
    done)
  else if tag = 0xff then (
    let n = 8 * next st in
    room st n;
    if n > st.stop - st.at then fail (Buffer.length st.out / 8) "packed data are cut off";
    Buffer.add_subbytes st.out st.src st.at n;
    st.at <- st.at + n)

let default_limit = 8 * default_budget

let start ?(limit = default_limit) src ~off ~len =
  if off < 0 || len < 0 || off > Bytes.length src - len then invalid_arg "Packed";
  { src; stop = off + len; at = off; out = Buffer.create (min (2 * len) 4096); limit }

let unpack ?limit s =
  let st = start ?limit (Bytes.unsafe_of_string s) ~off:0 ~len:(String.length s) in
  while st.at < st.stop do
    step st
  done;
  Buffer.contents st.out

let message ?limit ?traversal ?depth src ~off ~len =
  let st = start ?limit src ~off ~len in
  let rec fill need =
    if need > st.limit then fail 0 "packed data unpack to more than the limit";
    while Buffer.length st.out < need do
      step st
    done;
    let b = Buffer.to_bytes st.out in
    match extent b ~off:0 ~len:(Bytes.length b) with
    | Need n -> fill n
    | Whole n when n = Bytes.length b -> (of_frame ?traversal ?depth b ~off:0 ~len:n, st.at - off)
    | Whole n -> fail (n / 8) "a packed run goes past the message"
  in
  fill 8
