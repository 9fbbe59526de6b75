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

(* Unpacking is done twice: the first pass says how long the result is, so that the second one fills
   bytes of that length and no more is ever taken. [clip] drops what goes past [out], for a look at
   the beginning. *)
type state = { src : Bytes.t; stop : int; mutable at : int; out : Bytes.t; mutable used : int }

let cut_off used = fail (used / 8) "packed data are cut off"
let too_long () = fail 0 "packed data unpack to more than the limit"
let default_limit len = (16 * len) + 1_000_000

let next st =
  if st.at >= st.stop then cut_off st.used;
  let c = Bytes.get_uint8 st.src st.at in
  st.at <- st.at + 1;
  c

(* How many of [n] bytes there is room for. *)
let room ~clip st n =
  let left = Bytes.length st.out - st.used in
  if n > left && not clip then fail (Bytes.length st.out / 8) "a packed run goes past the message";
  Int.min n left

let step ~clip st =
  let tag = next st in
  for j = 0 to 7 do
    let c = if tag land (1 lsl j) <> 0 then next st else 0 in
    if room ~clip st 1 = 1 then (
      Bytes.set_uint8 st.out st.used c;
      st.used <- st.used + 1)
  done;
  if tag = 0 then (
    let n = room ~clip st (8 * next st) in
    Bytes.fill st.out st.used n '\000';
    st.used <- st.used + n)
  else if tag = 0xff then (
    let n = 8 * next st in
    if n > st.stop - st.at then cut_off st.used;
    let kept = room ~clip st n in
    Bytes.blit st.src st.at st.out st.used kept;
    st.used <- st.used + kept;
    st.at <- st.at + n)

let check src ~off ~len =
  if off < 0 || len < 0 || off > Bytes.length src - len then invalid_arg "Packed"

(* The first [n] bytes of what the packed bytes stand for, and how many of them that took. *)
let fill ~clip src ~off ~len n =
  let st = { src; stop = off + len; at = off; out = Bytes.create n; used = 0 } in
  while st.used < n do
    step ~clip st
  done;
  (st.out, st.at - off)

let rec ones byte = if byte = 0 then 0 else (byte land 1) + ones (byte lsr 1)

(* How long [s] is when it is unpacked. *)
let length s limit =
  let stop = String.length s in
  let rec from at total =
    if total > limit then too_long ()
    else if at >= stop then if at > stop then cut_off total else total
    else
      let tag = Char.code s.[at] in
      let at = at + 1 + ones tag in
      if tag <> 0 && tag <> 0xff then from at (total + 8)
      else if at >= stop then cut_off total
      else
        let n = 8 * Char.code s.[at] in
        from (if tag = 0 then at + 1 else at + 1 + n) (total + 8 + n)
  in
  from 0 0

let unpack ?limit s =
  let len = String.length s in
  let n = length s (Option.value limit ~default:(default_limit len)) in
  Bytes.unsafe_to_string (fst (fill ~clip:false (Bytes.unsafe_of_string s) ~off:0 ~len n))

let message ?limit ?memory ?traversal ?depth src ~off ~len =
  check src ~off ~len;
  let limit = Option.value limit ~default:(default_limit len) in
  (* Looks at the first [seen] bytes, at most 2 KiB: what is needed beyond is no table. *)
  let rec total seen =
    let b, _ = fill ~clip:true src ~off ~len seen in
    match extent b ~off:0 ~len:seen with
    | Need n when n <= table_bytes max_segments -> total n
    | Need n | Whole n -> n
  in
  let n = total 8 in
  if n > limit then too_long ();
  let b, taken = fill ~clip:false src ~off ~len n in
  (of_frame ?memory ?traversal ?depth b ~off:0 ~len:n, taken)
