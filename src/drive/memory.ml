open Weir_base
open Weir_core

type t = { budget : Budget.t; mutable last : int }

external trim : unit -> unit = "weir_memory_trim"

let create stack = { budget = Tcp.budget (Stack.tcp stack); last = 0 }
let period = Time.s 5
let worth = 8 * 1_048_576
let little = 1_048_576

let look t =
  let used = Budget.used t.budget in
  let gone = Budget.peak t.budget - used in
  let still_falling = t.last - used > little in
  let due = gone >= worth && gone > used && not still_falling in
  t.last <- used;
  if due then (
    Budget.forget_peak t.budget;
    Gc.compact ();
    trim ());
  due
