let rec forget_oldest q =
  match Queue.take_opt q with
  | None -> false
  | Some (c : Tcb.t) when c.state = Time_wait ->
      Tcb.close c None;
      true
  | Some _ -> forget_oldest q

(* They end in the order they began, except restarted ones. *)
let rec forget_finished q =
  match Queue.peek_opt q with
  | Some (c : Tcb.t) when c.state <> Time_wait ->
      ignore (Queue.pop q);
      forget_finished q
  | _ -> ()
