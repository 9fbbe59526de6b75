open Scoreboard_records

(* A FIN's number takes no room. *)
let parts t i ~mss ~data_end =
  let n = Int.min (length t i) (Seq.diff data_end (seq t i)) in
  if n <= mss then 1 else (n + mss - 1) / mss

let rec any_long t i ~mss ~data_end =
  i < t.tail && (parts t i ~mss ~data_end > 1 || any_long t (i + 1) ~mss ~data_end)

let rec listed t i = if i < 0 then [] else i :: listed t (next t i)
let rec capacity n size = if size >= words * n then size else capacity n (2 * size)

let copy_words ~width ~from i ~into j =
  let place a n = width * (n land ((Array.length a / width) - 1)) in
  Array.blit from (place from i) into (place into j) width

(* Writes the record of old number [i] as those from [first] on, without links. *)
let write_parts t i ~first ~count ~mss ~ring ~stamps =
  let flags = mark t i land ((1 lsl flag_bits) - 1) in
  for part = 0 to count - 1 do
    let j = first + part in
    let at = words * (j land ((Array.length ring / words) - 1)) in
    ring.(at) <- (Seq.add (seq t i) (part * mss) lsl flag_bits) lor flags;
    ring.(at + 1) <- sent_at t i;
    if t.rated then
      let width = Array.length stamps * words / Array.length ring in
      copy_words ~width ~from:t.stamps i ~into:stamps j
  done

(* [first.(i - head)] is the new number of record [i]. *)
let rewrite t ~first ~mss =
  let n = records t and old = Array.length t.ring in
  let size = capacity (first.(n) - t.head) old in
  let ring = Array.make size 0 and stamps = Array.make (Array.length t.stamps * (size / old)) 0 in
  for k = 0 to n - 1 do
    write_parts t (t.head + k) ~first:first.(k)
      ~count:(first.(k + 1) - first.(k))
      ~mss ~ring ~stamps
  done;
  t.ring <- ring;
  t.stamps <- stamps;
  t.tail <- first.(n)

let mark_run_sacked t i upto =
  for j = i to upto - 1 do
    if has t j f_sacked then (
      set_next t j (j + 1);
      t.sacked_segments <- t.sacked_segments + 1)
  done

let split t ~mss ~data_end ~frames =
  let long = (not (is_empty t)) && any_long t t.head ~mss ~data_end in
  if long then (
    let head = t.head and flying = listed t t.first and lost = listed t t.lost_first in
    let first = Array.make (records t + 1) head in
    for k = 0 to records t - 1 do
      first.(k + 1) <- first.(k) + parts t (head + k) ~mss ~data_end
    done;
    rewrite t ~first ~mss;
    forget_lists t;
    mark_run_sacked t head t.tail;
    let each f i =
      for j = first.(i - head) to first.(i - head + 1) - 1 do
        f t j
      done
    in
    let is_long i = first.(i - head + 1) - first.(i - head) > 1 in
    List.iter (each append_lost) lost;
    (* The end of a long frame was sent a nanosecond after the segment before it. *)
    let in_frame i =
      let j = first.(i - head) in
      frames && i > head && is_long (i - 1) && sent_at t j = sent_at t (j - 1) + 1
    in
    List.iter (fun i -> each (if is_long i || in_frame i then append_lost else append) i) flying);
  long
