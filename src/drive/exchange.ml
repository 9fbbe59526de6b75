open Weir_core

(* The latest first; each knows how many there are. *)
type waiting = None_ | One of { packet : Siblings.packet; before : waiting; length : int }

type inbox = {
  waiting : waiting Atomic.t;
  dropped : int Atomic.t;
  wake : (unit -> unit) Atomic.t;  (** of its host *)
}

type t = inbox array
type seat = { exchange : t; index : int }

let longest = 1_024
let most = 64

let create ~count =
  if count < 1 || count > most then invalid_arg "Exchange.create";
  let inbox _ =
    { waiting = Atomic.make None_; dropped = Atomic.make 0; wake = Atomic.make ignore }
  in
  Array.init count inbox

let length = function None_ -> 0 | One { length; _ } -> length

let rec hand t i packet =
  let inbox = t.(i) in
  let before = Atomic.get inbox.waiting in
  let n = length before in
  if n >= longest then Atomic.incr inbox.dropped
  else if not (Atomic.compare_and_set inbox.waiting before (One { packet; before; length = n + 1 }))
  then hand t i packet
  else if n = 0 then (Atomic.get inbox.wake) ()

let seat t index = { exchange = t; index }
let inbox s = s.exchange.(s.index)
let set_wake s wake = Atomic.set (inbox s).wake wake
let dropped s = Atomic.get (inbox s).dropped
let is_empty s = Atomic.get (inbox s).waiting == None_

let siblings s : Siblings.t =
  { index = s.index; count = Array.length s.exchange; hand = hand s.exchange }

let rec in_order waiting packets =
  match waiting with
  | None_ -> packets
  | One { packet; before; _ } -> in_order before (packet :: packets)

let take s f = List.iter f (in_order (Atomic.exchange (inbox s).waiting None_) [])
