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
  mutable rate : Delivery_rate.t;
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
    rate = Delivery_rate.none;
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

let forget_lists t =
  t.first <- -1;
  t.last <- -1;
  t.lost_first <- -1;
  t.lost_last <- -1;
  t.in_flight <- 0;
  t.lost <- 0;
  t.sacked_segments <- 0

(* -- the search ---------------------------------------------------------- *)

(* The first record that begins at [left] or beyond. *)
let rec search t left low high =
  if low = high then low
  else
    let middle = low + ((high - low) / 2) in
    if Seq.lt (seq t middle) left then search t left (middle + 1) high else search t left low middle

(* The record that contains [s], or -1. *)
let holding t s =
  let i = search t s t.head t.tail in
  let i = if i < t.tail && seq t i = s then i else i - 1 in
  if i >= t.head && Seq.leq (seq t i) s && Seq.lt s (end_of t i) then i else -1
