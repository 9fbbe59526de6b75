open Weir_base

(* A record is four ints of [ring]: the sequence number with its flags, when it
   was last sent, and two links. Record numbers always increase; records are in
   sequence order, each up to the beginning of the next. Records in flight are in a list by send
   time, lost ones in another list. Selectively acknowledged records are in neither list: their
   first link is the record where the search for one that is not acknowledged continues, so that
   a run of them is skipped in one step. If delivery rates are measured, [stamps] has the
   estimator's state when the segment was sent, for each record. *)
type t = {
  mutable ring : int array;
  rate : Delivery_rate.t;
  mutable rated : bool;
  mutable stamps : int array;
  mutable head : int;
  mutable tail : int;
  mutable upto : Seq.t;
  mutable first : int;
  mutable last : int;
  mutable lost_first : int;
  mutable lost_last : int;
  mutable in_flight : int;
  mutable lost : int;
  mutable sacked_segments : int;
  mutable delivered : int;
  mutable newly_lost : int;
  mutable late : bool;
  mutable lost_sent_at : Time.t;
  mutable most : int;
  mutable mss : int;
  mutable stamp : Time.t;
}

let words = 4
let f_sacked = 1
let f_lost = 2
let f_again = 4
let f_told = 8
let flag_bits = 4

let create () =
  {
    ring = [||];
    rate = Delivery_rate.create ();
    rated = false;
    stamps = [||];
    head = 0;
    tail = 0;
    upto = 0;
    first = -1;
    last = -1;
    lost_first = -1;
    lost_last = -1;
    in_flight = 0;
    lost = 0;
    sacked_segments = 0;
    delivered = 0;
    newly_lost = 0;
    late = false;
    lost_sent_at = -1;
    most = 256;
    mss = 536;
    stamp = 0;
  }

(* Allows for short segments: two adjacent records are together longer than one segment, except for
   up to half of the records. *)
let set_bounds t ~mss ~buffer =
  t.mss <- mss;
  t.most <- 2 * (64 + (2 * buffer / mss))

(* The ring's length is a power of two, or 0 while unused. *)
let[@inline] at t i = words * i land (Array.length t.ring - 1)
let[@inline] stamp_at t i = Delivery_rate.stamp_words * (i land ((Array.length t.ring / words) - 1))
let[@inline] mark t i = t.ring.(at t i)
let[@inline] seq t i = mark t i lsr flag_bits
let[@inline] has t i flag = mark t i land flag <> 0
let[@inline] set_flag t i flag = t.ring.(at t i) <- mark t i lor flag
let[@inline] clear_flag t i flag = t.ring.(at t i) <- mark t i land lnot flag
let[@inline] sent_at t i = t.ring.(at t i + 1)
let[@inline] set_sent_at t i now = t.ring.(at t i + 1) <- now
let[@inline] next t i = t.ring.(at t i + 2)
let[@inline] set_next t i n = t.ring.(at t i + 2) <- n
let[@inline] prev t i = t.ring.(at t i + 3)
let[@inline] set_prev t i n = t.ring.(at t i + 3) <- n
let[@inline] end_of t i = if i + 1 = t.tail then t.upto else seq t (i + 1)
let[@inline] length t i = Seq.diff (end_of t i) (seq t i)
let records t = t.tail - t.head
let is_empty t = t.tail = t.head
let in_flight t = t.in_flight
let lost t = t.lost
let sacked_segments t = t.sacked_segments
let delivered t = t.delivered
let newly_lost t = t.newly_lost
let late t = t.late
let lost_sent_at t = t.lost_sent_at
let room t = t.most - records t
let is_full t = records t >= t.most

(* -- the two lists ------------------------------------------------------- *)

let unlink t i =
  let p = prev t i and n = next t i in
  if has t i f_lost then (
    if p >= 0 then set_next t p n else t.lost_first <- n;
    if n >= 0 then set_prev t n p else t.lost_last <- p;
    if mark t i land (f_again lor f_told) = 0 then t.late <- true;
    t.lost <- t.lost - length t i)
  else (
    if p >= 0 then set_next t p n else t.first <- n;
    if n >= 0 then set_prev t n p else t.last <- p;
    t.in_flight <- t.in_flight - length t i)

let append t i =
  set_next t i (-1);
  set_prev t i t.last;
  if t.last >= 0 then set_next t t.last i else t.first <- i;
  t.last <- i;
  t.in_flight <- t.in_flight + length t i

let append_lost t i =
  set_flag t i f_lost;
  set_next t i (-1);
  set_prev t i t.lost_last;
  if t.lost_last >= 0 then set_next t t.lost_last i else t.lost_first <- i;
  t.lost_last <- i;
  t.lost <- t.lost + length t i

let prepend_lost t i =
  set_flag t i f_lost;
  set_prev t i (-1);
  set_next t i t.lost_first;
  if t.lost_first >= 0 then set_prev t t.lost_first i else t.lost_last <- i;
  t.lost_first <- i;
  t.lost <- t.lost + length t i

(* -- sending ------------------------------------------------------------- *)

(* A driver's clock may stand still during a loop step. Adding a nanosecond keeps send times unique
   and in order. *)
let stamp t ~now =
  t.stamp <- Int.max now (t.stamp + 1);
  t.stamp

let spread t old ~words ~into =
  let size = Array.length old / words and mask = (Array.length into / words) - 1 in
  for i = t.head to t.tail - 1 do
    Array.blit old (words * (i land (size - 1))) into (words * (i land mask)) words
  done;
  into

let grow t =
  let size = Int.max 4 (2 * Array.length t.ring / words) in
  t.ring <- spread t t.ring ~words ~into:(Array.make (size * words) 0);
  if t.rated then
    let words = Delivery_rate.stamp_words in
    t.stamps <- spread t t.stamps ~words ~into:(Array.make (size * words) 0)

(* -- delivery rates ------------------------------------------------------- *)

let rate t = t.rate

(* Segments sent before have no stamp: only their bytes are counted. *)
let set_rated t wanted =
  if wanted <> t.rated then (
    t.rated <- wanted;
    t.stamps <-
      (if wanted then Array.make (Array.length t.ring / words * Delivery_rate.stamp_words) 0
       else [||]);
    if wanted then
      for i = t.head to t.tail - 1 do
        Delivery_rate.no_stamp t.stamps (stamp_at t i)
      done)

let stamp_rate t i ~now =
  if t.in_flight = 0 then Delivery_rate.restart t.rate ~now;
  Delivery_rate.stamp t.rate t.stamps (stamp_at t i) ~in_flight:(t.in_flight + length t i)

(* Counted once only, even if a duplicate ACK had marked it. *)
let tell_rate t rack i =
  if t.rated && not (has t i f_told) then
    Delivery_rate.delivers t.rate t.stamps (stamp_at t i) ~now:(Rack.now rack) ~bytes:(length t i)
      ~sent_at:(sent_at t i)

let limited_by_app t = if t.rated then Delivery_rate.limit_by_app t.rate ~in_flight:t.in_flight

(* Extends the last record if it is in flight and stays within one segment. *)
let joins t ~upto =
  records t >= t.most / 2
  &&
  let i = t.tail - 1 in
  mark t i land (f_sacked lor f_lost lor f_again) = 0 && Seq.diff upto (seq t i) <= t.mss

let append_sent t i ~now =
  set_sent_at t i (stamp t ~now);
  if t.rated then stamp_rate t i ~now;
  append t i

let sent t ~seq ~upto ~now =
  if joins t ~upto then (
    let i = t.tail - 1 in
    unlink t i;
    t.upto <- upto;
    append_sent t i ~now)
  else (
    if words * (records t + 1) > Array.length t.ring then grow t;
    let i = t.tail in
    t.tail <- i + 1;
    t.upto <- upto;
    t.ring.(at t i) <- seq lsl flag_bits;
    append_sent t i ~now)

let next_lost t = t.lost_first
let newest t = t.last
let first_of t i = seq t i
let end_of_record t i = end_of t i

let sent_again t i ~now =
  unlink t i;
  clear_flag t i f_lost;
  set_flag t i f_again;
  append_sent t i ~now

(* -- acknowledgements ---------------------------------------------------- *)

let begin_ack t =
  t.delivered <- 0;
  t.late <- false;
  t.newly_lost <- 0;
  t.lost_sent_at <- -1;
  if t.rated then Delivery_rate.begin_ack t.rate

let end_ack t rack = if t.rated then Delivery_rate.end_ack t.rate ~min_rtt:(Rack.min_rtt rack)

let deliver t rack i =
  t.delivered <- t.delivered + length t i;
  tell_rate t rack i;
  Rack.delivered rack ~sent_at:(sent_at t i) ~end_seq:(end_of t i) ~retransmitted:(has t i f_again);
  unlink t i

(* Removes the acknowledged part of the first record. *)
let trim t rack upto =
  let i = t.head in
  let cut = Seq.diff upto (seq t i) in
  if cut > 0 then (
    if has t i f_lost then t.lost <- t.lost - cut
    else if not (has t i f_sacked) then t.in_flight <- t.in_flight - cut;
    if not (has t i f_sacked) then (
      t.delivered <- t.delivered + cut;
      if t.rated && not (has t i f_told) then Delivery_rate.counts t.rate ~now:(Rack.now rack) cut);
    t.ring.(at t i) <- (upto lsl flag_bits) lor (mark t i land ((1 lsl flag_bits) - 1)))

let rec ack t rack ~upto =
  if t.head < t.tail then
    let i = t.head in
    if Seq.leq (end_of t i) upto then (
      if has t i f_sacked then t.sacked_segments <- t.sacked_segments - 1 else deliver t rack i;
      t.head <- i + 1;
      ack t rack ~upto)
    else trim t rack upto

(* The first record that begins at [left] or beyond. *)
let rec search t left low high =
  if low = high then low
  else
    let middle = low + ((high - low) / 2) in
    if Seq.lt (seq t middle) left then search t left (middle + 1) high else search t left low middle

let rec run_end t i = if i < t.tail && has t i f_sacked then run_end t (next t i) else i

let rec shorten t i upto =
  if i < upto then (
    let n = next t i in
    set_next t i upto;
    shorten t n upto)

let rec mark_sacked t rack i right =
  if i < t.tail then
    if has t i f_sacked then (
      let upto = run_end t i in
      shorten t i upto;
      mark_sacked t rack upto right)
    else if Seq.leq (end_of t i) right then (
      deliver t rack i;
      clear_flag t i f_lost;
      set_flag t i f_sacked;
      set_next t i (i + 1);
      t.sacked_segments <- t.sacked_segments + 1;
      mark_sacked t rack (i + 1) right)

let sack t rack ~left ~right = mark_sacked t rack (search t left t.head t.tail) right

(* -- loss ---------------------------------------------------------------- *)

let lose t i =
  if t.rated then Delivery_rate.loses t.rate t.stamps (stamp_at t i) ~bytes:(length t i);
  t.newly_lost <- t.newly_lost + length t i;
  t.lost_sent_at <- Int.max t.lost_sent_at (sent_at t i);
  unlink t i;
  if has t i f_again then prepend_lost t i else append_lost t i

(* The list is in order of send time: the search stops at the first record that is not late; the
   timer is set for that one. *)
let rec detect t rack ~now ~reo_wnd =
  let i = t.first in
  if i >= 0 && Rack.is_past rack ~sent_at:(sent_at t i) then
    let late_at = sent_at t i + Rack.rtt rack + reo_wnd in
    if late_at <= now then (
      lose t i;
      detect t rack ~now ~reo_wnd)
    else late_at
  else Time.never

let rec lose_until t ~sent_before =
  let i = t.first in
  if i >= 0 && sent_at t i <= sent_before then (
    lose t i;
    lose_until t ~sent_before)

let on_timeout t ~sent_before =
  lose_until t ~sent_before;
  (if t.head < t.tail then
     let i = t.head in
     if not (has t i f_sacked || has t i f_lost) then lose t i);
  t.lost_first <- -1;
  t.lost_last <- -1;
  t.lost <- 0;
  t.sacked_segments <- 0;
  for i = t.head to t.tail - 1 do
    if has t i (f_sacked lor f_lost) then (
      if has t i f_sacked then set_flag t i f_told;
      clear_flag t i f_sacked;
      append_lost t i)
  done

(* -- without SACK --------------------------------------------------------- *)

(* Without SACK only the number of arrived segments is known, so the first unmarked ones are
   marked: the marks are one run of [sacked_segments] records. *)
let put_mark t i =
  unlink t i;
  set_flag t i f_sacked;
  set_next t i (i + 1);
  t.sacked_segments <- t.sacked_segments + 1

let take_mark t i =
  clear_flag t i f_sacked;
  set_flag t i f_told;
  t.sacked_segments <- t.sacked_segments - 1;
  append t i

(* The record after the run of marks, if duplicates can be for it; or -1. *)
let after_marks t ~upto =
  let i = t.head + 1 + t.sacked_segments in
  if i < t.tail && Seq.leq (end_of t i) upto && not (has t i f_lost) then i else -1

let duplicate t rack ~upto =
  let i = after_marks t ~upto in
  if i >= 0 then (
    t.delivered <- t.delivered + length t i;
    tell_rate t rack i;
    put_mark t i)

(* If the lost segment has a mark, another segment arrived instead. *)
let lose_first t ~upto =
  if t.head < t.tail then (
    let i = t.head in
    if has t i f_sacked then (
      take_mark t i;
      let other = after_marks t ~upto in
      if other >= 0 then (
        put_mark t other;
        if not (has t other f_told) then (
          clear_flag t i f_told;
          if t.rated then Delivery_rate.corrects t.rate (length t other - length t i))));
    if not (has t i f_lost) then lose t i)

let forget_duplicates t =
  if t.sacked_segments > 0 then
    let first = if has t t.head f_sacked then t.head else t.head + 1 in
    for i = first to first + t.sacked_segments - 1 do
      take_mark t i
    done

(* Inserts into the list in order of send time, searching from [p]. *)
let rec insert t p i =
  if p < 0 then append t i
  else if sent_at t p < sent_at t i then insert t (next t p) i
  else
    let before = prev t p in
    set_next t i p;
    set_prev t i before;
    set_prev t p i;
    if before >= 0 then set_next t before i else t.first <- i;
    t.in_flight <- t.in_flight + length t i

let rec insert_all t p = function
  | [] -> ()
  | i :: rest ->
      insert t p i;
      insert_all t i rest

let rec collect_lost t i into = if i < 0 then into else collect_lost t (next t i) (i :: into)

let forgive t =
  let lost = collect_lost t t.lost_first [] in
  List.iter
    (fun i ->
      unlink t i;
      clear_flag t i f_lost)
    lost;
  insert_all t t.first (List.sort (fun i j -> Int.compare (sent_at t i) (sent_at t j)) lost)

(* -- where a sequence number is ------------------------------------------- *)

(* The record that contains [s], or -1. *)
let holding t s =
  let i = search t s t.head t.tail in
  let i = if i < t.tail && seq t i = s then i else i - 1 in
  if i >= t.head && Seq.leq (seq t i) s && Seq.lt s (end_of t i) then i else -1

let sacked_at t s =
  let i = holding t s in
  i >= 0 && has t i f_sacked

let lost_at t s =
  let i = holding t s in
  if i >= 0 && seq t i = s && has t i f_lost then length t i else 0

let is_lost_at t s =
  let i = holding t s in
  i >= 0 && has t i f_lost

let head_length t = if is_empty t then 0 else length t t.head

(* -- shorter segments ------------------------------------------------------ *)

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

let forget_lists t =
  t.first <- -1;
  t.last <- -1;
  t.lost_first <- -1;
  t.lost_last <- -1;
  t.in_flight <- 0;
  t.lost <- 0;
  t.sacked_segments <- 0

let mark_run_sacked t i upto =
  for j = i to upto - 1 do
    if has t j f_sacked then (
      set_next t j (j + 1);
      t.sacked_segments <- t.sacked_segments + 1)
  done

let cut t ~mss ~data_end ~frames =
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

let clear t =
  t.ring <- [||];
  t.stamps <- [||];
  t.head <- 0;
  t.tail <- 0;
  forget_lists t

let trim_storage t =
  if is_empty t then (
    t.ring <- [||];
    t.stamps <- [||])

let iter f t =
  for i = t.head to t.tail - 1 do
    let state =
      if has t i f_sacked then `Sacked else if has t i f_lost then `Lost else `In_flight
    in
    f (seq t i) (end_of t i) state
  done
