open Weir_base
open Weir_link

type arrival = { at : Time.t; bytes : string }

(* What comes out at the far end, in order, of [sends] (time and length each;
   ids count from 0), sent through [outbound] and run until nothing is held. *)
let through ?(seed = 1) ?(pool = Frames.pool ()) outbound sends =
  let a, b = Memory.pair ~queue:max_int () in
  let link = Impair.wrap ~seed ~outbound a in
  let out = ref [] in
  let take now =
    let rec go () =
      let f = b#receive ~now in
      if f != Frame.none then (
        out := { at = now; bytes = Bytes.sub_string f.data f.off f.len } :: !out;
        Frame.release f;
        go ())
    in
    go ()
  in
  let receive now =
    if link#receive ~now != Frame.none then Alcotest.fail "a frame from nowhere";
    take now
  in
  let rec run_to t =
    let deadline = link#deadline in
    if deadline < t then (
      receive deadline;
      run_to t)
  in
  List.iteri
    (fun n (now, len) ->
      run_to now;
      Frames.send link ~now (Frames.make ~len pool n);
      link#flush;
      take now)
    sends;
  ignore (Frames.until_idle [ (link :> Link.t) ] receive : Time.t);
  (link, List.rev !out)

let id { bytes; _ } = Int64.to_int (String.get_int64_be bytes 14)
let ids = List.map id

let conserved (c : Lane.counters) ~held =
  Alcotest.(check int)
    "conservation" (c.entered + c.duplicated)
    (c.left + c.lost + c.overflowed + c.cut + held)
