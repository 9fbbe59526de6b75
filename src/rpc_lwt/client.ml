open Weir_rpc
module Output = Weir_message.Output

let ( let* ) = Lwt.bind

type t = {
  caller : Caller.t;
  waiting : Waiting.t;
  transport : Transport.t;
  clock : Clock.t;
  over : Error.ending Lwt.t;
  stop : unit Lwt.u;
}

(* Who may call no more ends the stream once all calls are answered. *)
let settle t =
  Waiting.advance t.waiting;
  if Caller.may_end t.caller then Transport.finish t.transport;
  Transport.wake t.transport

let frame t content =
  let result = Caller.input t.caller content in
  settle t;
  Lwt.return result

let run t stopped =
  let read () =
    let* () = Transport.read t.transport (frame t) in
    Lwt.return Error.Ended
  in
  (* A peer that cannot be told does not end its stream either. *)
  let write () =
    let* told = Transport.write t.transport in
    if told then fst (Lwt.task ()) else Lwt.return Error.Ended
  in
  let* ending =
    Lwt.catch
      (fun () ->
        Lwt.pick
          [
            Transport.ending read;
            Transport.ending write;
            Lwt.map (fun () -> Error.Stopped) stopped;
          ])
      (fun e -> Lwt.return (Error.Lost e))
  in
  Caller.close t.caller ending;
  Waiting.advance t.waiting;
  let* () = Transport.close t.transport in
  Lwt.return ending

let abort t =
  Caller.close t.caller Stopped;
  Waiting.advance t.waiting;
  if Lwt.is_sleeping t.over then try Lwt.wakeup_later t.stop () with Invalid_argument _ -> ()

let create ?switch ~clock ?(limits = Limits.default) flow =
  Lwt_switch.check switch;
  let caller = Caller.create limits in
  let waiting = Waiting.create limits caller in
  let on_room () = Waiting.advance waiting in
  let transport = Transport.create ~on_room ~limits (Caller.outbox caller) flow in
  let over, set_over = Lwt.wait () and stopped, stop = Lwt.task () in
  let t = { caller; waiting; transport; clock; over; stop } in
  Lwt_switch.add_hook switch (fun () ->
      abort t;
      Lwt.map ignore t.over);
  Lwt.on_any (run t stopped) (Lwt.wakeup_later set_over) (Lwt.wakeup_later_exn set_over);
  t

(* {1 Calling} *)

let call t ?timeout_ns (m : _ Method.t) request =
  let result, resolver = Lwt.task () in
  let deadline =
    match timeout_ns with None -> Weir_base.Time.never | Some ns -> Clock.after t.clock ns
  in
  let place = Waiting.place t.waiting in
  let answer a = if Lwt.is_sleeping result then Lwt.wakeup_later resolver a in
  let give_up () =
    Waiting.give_up t.waiting place;
    Transport.wake t.transport
  in
  let rec on_turn () =
    let timeout_us = Deadline.left_us ~now:(t.clock.now ()) deadline in
    match
      Waiting.send t.waiting place ~timeout_us m.name
        (fun out -> m.request.encode out request)
        (fun a -> answer (Caller.decode m ~late:(t.clock.now () >= deadline) a))
    with
    | Not_yet -> Waiting.enter t.waiting place on_turn
    | Over ending -> answer (Error (Error.Closed ending))
    | Sent -> Transport.wake t.transport
    | exception Output.Too_long -> answer (Error (Too_large (Caller.max_request t.caller)))
    | exception e -> if Lwt.is_sleeping result then Lwt.wakeup_later_exn resolver e
  in
  if deadline <= t.clock.now () then answer (Error Timed_out)
  else begin
    Lwt.on_cancel result give_up;
    Waiting.enter t.waiting place on_turn;
    if deadline <> Weir_base.Time.never && Lwt.is_sleeping result then begin
      let timer = Clock.sleep_until t.clock deadline in
      Lwt.on_termination result (fun () -> Lwt.cancel timer);
      Lwt.on_success timer (fun () ->
          if Lwt.is_sleeping result then begin
            give_up ();
            answer (Error Timed_out)
          end)
    end
  end;
  result

(* {1 Ending} *)

let await_end t = Lwt.protected t.over

let close t =
  Caller.stop t.caller;
  settle t;
  Lwt.map ignore (await_end t)

let state t =
  match Caller.state t.caller with Over ending -> Some ending | Greeting | Open _ -> None
