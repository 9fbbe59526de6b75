module Time = Weir_base.Time

let rec move ~now (from : Link.t) (into : Link.t) moved budget =
  if moved = budget then moved
  else
    let frame = from#receive ~now in
    if frame == Frame.none then moved
    else (
      into#send ~now frame;
      move ~now from into (moved + 1) budget)

let one_way ~now from (into : Link.t) budget =
  let moved = move ~now from into 0 budget in
  if moved > 0 then into#flush;
  moved

let pump ?(budget = 256) ~now a b =
  let there = one_way ~now a b budget in
  there + one_way ~now b a budget

let deadline (a : Link.t) (b : Link.t) = Int.min a#deadline b#deadline

let run ~clock ~stop ~await ?(nap_ns = Time.ms 10) a b =
  let rec go () =
    if not (stop ()) then (
      if pump ~now:(clock ()) a b = 0 then
        await (Int.max 0 (Int.min nap_ns (deadline a b - clock ())));
      go ())
  in
  go ()
