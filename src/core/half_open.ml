(* Connections that left SYN-RECEIVED must not accumulate in the queue. *)
let rec forget_finished (l : Tcb.listener) =
  match Queue.peek_opt l.half_open with
  | Some (c : Tcb.t) when c.state <> Syn_received ->
      ignore (Queue.pop l.half_open);
      forget_finished l
  | _ ->
      if Queue.length l.half_open > 2 * (l.half_open_count + 16) then (
        let keep = Queue.create () in
        Queue.iter (fun (c : Tcb.t) -> if c.state = Syn_received then Queue.push c keep) l.half_open;
        Queue.clear l.half_open;
        Queue.transfer keep l.half_open)
