module Mac = Weir_wire.Mac
module Time = Weir_base.Time

(* Buckets of four entries in flat arrays: nothing is allocated after [create], and a
   look-up reads one cache line of each array. *)
let ways = 4
let lifetime = Time.s 300

type t = { macs : int array; ports : int array; seen : Time.t array; mask : int }

let rec power_of_two n at_least = if n >= at_least then n else power_of_two (2 * n) at_least

let create ?(size = 4096) () =
  let size = power_of_two ways size in
  {
    macs = Array.make size (-1);
    ports = Array.make size (-1);
    seen = Array.make size 0;
    mask = (size / ways) - 1;
  }

(* Vendor prefixes make the high halves of addresses similar. *)
let bucket t (mac : Mac.t) =
  let h = Weir_base.Mix.scramble (mac :> int) in
  ways * ((h lsr 21) land t.mask)

let rec find_from t mac i last =
  if i > last then -1 else if t.macs.(i) = mac then i else find_from t mac (i + 1) last

let index t (mac : Mac.t) =
  let first = bucket t mac in
  find_from t (mac :> int) first (first + ways - 1)

let rec oldest t best i last =
  if i > last then best else oldest t (if t.seen.(i) < t.seen.(best) then i else best) (i + 1) last

let free_or_oldest t mac =
  let first = bucket t mac in
  let free = find_from t (-1) first (first + ways - 1) in
  if free >= 0 then free else oldest t first (first + 1) (first + ways - 1)

let learn t ~now mac ~port =
  let known = index t mac in
  let i = if known >= 0 then known else free_or_oldest t mac in
  t.macs.(i) <- (mac :> int);
  t.ports.(i) <- port;
  t.seen.(i) <- now

let find t ~now mac =
  let i = index t mac in
  if i < 0 || now - t.seen.(i) > lifetime then -1 else t.ports.(i)

let forget_port t port =
  Array.iteri
    (fun i p ->
      if p = port then (
        t.macs.(i) <- -1;
        t.ports.(i) <- -1))
    t.ports
