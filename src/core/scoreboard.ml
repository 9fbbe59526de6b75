open Weir_base
open Scoreboard_records

type t = Scoreboard_records.t

let create = Scoreboard_records.create
let records = records
let is_empty = is_empty

(* Allows for short segments: two adjacent records are together longer than one segment, except for
   up to half of the records. *)
let set_bounds t ~mss ~buffer =
  t.mss <- mss;
  t.most <- 2 * (64 + (2 * buffer / mss))

let in_flight t = t.in_flight
let lost t = t.lost
let sacked_segments t = t.sacked_segments
let delivered t = t.delivered
let newly_lost t = t.newly_lost
let late t = t.late
let lost_sent_at t = t.lost_sent_at
let room t = t.most - records t
let is_full t = records t >= t.most

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
let set_rated t rate =
  let wanted = Option.is_some rate in
  Option.iter (fun rate -> t.rate <- rate) rate;
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
let cut = Scoreboard_cut.split

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
