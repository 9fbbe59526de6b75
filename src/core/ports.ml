let first = 32_768
let count = 65_536 - first

type part = { mutable index : int; mutable of_ : int }

let whole () = { index = 0; of_ = 1 }
let owner ~count port = port mod count

(* The number of ports is a power of two, so an odd step visits all. With a step of one, walks would
   fill up runs of ports, and then walk through them. *)
let choose ?(part = whole ()) random free =
  let start = Random.State.int random count in
  let step = (2 * start) + 1 in
  let rec from n =
    if n = count then 0
    else
      let port = first + ((start + (n * step)) land (count - 1)) in
      if (part.of_ = 1 || owner ~count:part.of_ port = part.index) && free port then port
      else from (n + 1)
  in
  from 0

module Ip = Weir_wire.Ip

let covers a b = Ip.is_any a && ((not (Ip.is_v4 a)) || Ip.is_v4 b)
let overlap a b = covers a b || covers b a || Ip.equal a b
