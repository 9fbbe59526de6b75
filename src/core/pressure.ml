open Weir_base

(* A connection with fewer bytes is not reset. *)
let least_worth = 16_384
let held (c : Tcb.t) = Send_queue.storage c.snd + Byte_ring.storage c.rcv

(* Increases with the bytes that the peer acknowledges and the user reads. *)
let position (c : Tcb.t) = Seq.add (Seq.add c.snd_una c.rcv_nxt) (-Byte_ring.length c.rcv)

(* Progress since the last check, 100 ms ago. *)
let gets_on c = c.Tcb.relief_mark < 0 || 10 * Seq.diff (position c) c.relief_mark >= held c
let mark c = c.Tcb.relief_mark <- position c

let worse (a : Tcb.t) (b : Tcb.t) =
  match Bool.compare b.orphan a.orphan with 0 -> Int.compare (held b) (held a) | c -> c

let rec reset_worst (s : Tcb.shared) = function
  | (c : Tcb.t) :: rest when Budget.used s.budget > 3 * (Budget.limit s.budget / 4) ->
      s.counters.tcp_evicted <- s.counters.tcp_evicted + 1;
      s.send_reset c;
      Tcb.close c (Some No_memory);
      Byte_ring.clear c.rcv;
      reset_worst s rest
  | _ -> ()

let make_room s iter =
  let stuck = ref [] in
  iter (fun c ->
      if held c >= least_worth && not (gets_on c) then stuck := c :: !stuck;
      mark c);
  reset_worst s (List.sort worse !stuck)

let rec feed (s : Tcb.shared) =
  if (not (Fifo.is_empty s.hungry)) && not (Budget.is_tight s.budget) then (
    (match Fifo.pop s.hungry with Connection c -> Tcb.feed c | Listener _ | Nothing -> ());
    feed s)

let relieve (s : Tcb.shared) iter =
  s.relief_at <- Time.never;
  if Budget.is_tight s.budget then (
    make_room s iter;
    Tcb.want_relief s);
  feed s;
  if not (Fifo.is_empty s.hungry) then Tcb.want_relief s
