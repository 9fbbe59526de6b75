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

let descriptor (link : Link.t) =
  match link#readiness with
  | Fd fd -> fd
  | Notify _ -> invalid_arg "Bridge.run: a link without a descriptor"

let run ~clock ~stop ?(nap_ns = Time.ms 10) a b =
  let fds = [ descriptor a; descriptor b ] in
  let rec go () =
    if not (stop ()) then (
      (if pump ~now:(clock ()) a b = 0 then
         let nap = max 0 (min nap_ns (deadline a b - clock ())) in
         match Unix.select fds [] [] (Time.to_float_s nap) with
         | _ -> ()
         | exception Unix.Unix_error (EINTR, _, _) -> ());
      go ())
  in
  go ()
