type packet = {
  bytes : Bytes.t;
  arp : bool;
  verified : bool;
  segment_size : int;
  link_group : bool;
  hops : int;
}

type t = { index : int; count : int; hand : int -> packet -> unit }

let no_more = max_int
let next t = (t.index + 1) mod t.count

let first_for t ~port =
  let owner = Ports.owner ~count:t.count port in
  if owner = t.index then next t else owner

let to_ t ~port packet =
  let hop = if packet.hops = 1 && port >= Ports.first then first_for t ~port else next t in
  t.hand hop packet

let to_all t packet =
  for i = 0 to t.count - 1 do
    if i <> t.index then t.hand i { packet with hops = no_more }
  done
