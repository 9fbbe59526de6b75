type life = { world : Weir_sim.world; name : string; mutable is_over : bool }

let life world ~name = { world; name; is_over = false }
let over l = l.is_over <- true
let is_over l = l.is_over
let whose : life Lwt.key = Lwt.new_key ()
let within l f = Lwt.with_value whose (Some l) f

(* Lwt's state is the process's. *)
let turn = Mutex.create ()
let present : Weir_sim.world option Domain.DLS.key = Domain.DLS.new_key (fun () -> None)

let () =
  let outside = !Lwt.async_exception_hook in
  Lwt.async_exception_hook :=
    fun e ->
      let bt = Printexc.get_raw_backtrace () in
      match (Lwt.get whose, Domain.DLS.get present) with
      | Some l, _ -> if not l.is_over then Weir_sim.Driver.failed l.world ~host:l.name e bt
      | None, Some world -> Weir_sim.Driver.failed world ~host:"Lwt" e bt
      | None, None -> outside e

(* A yield for each round, so that threads which pause for ever use up events. *)
let rec go came =
  Eio.Condition.loop_no_mutex came (fun () -> if Lwt.paused_count () > 0 then Some () else None);
  Eio.Fiber.yield ();
  Lwt.wakeup_paused ();
  go came

let leave () =
  Lwt.register_pause_notifier ignore;
  Lwt.abandon_paused ();
  Domain.DLS.set present None;
  Mutex.unlock turn

let take world =
  match Domain.DLS.get present with
  | Some w when w == world -> ()
  | Some _ -> invalid_arg "Weir_sim_lwt: a world within another"
  | None ->
      Mutex.lock turn;
      Domain.DLS.set present (Some world);
      Weir_sim.Driver.at_end world leave;
      let came = Eio.Condition.create () in
      Lwt.register_pause_notifier (fun _ -> Eio.Condition.broadcast came);
      Weir_sim.Driver.daemon world (fun () -> go came)
