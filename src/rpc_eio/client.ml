open Eio.Std
open Weir_rpc
module Output = Weir_message.Output

type t = {
  caller : Caller.t;
  waiting : Waiting.t;
  transport : Transport.t;
  clock : Eio.Time.Mono.ty r;
  over : Error.ending Promise.t;
  set_over : Error.ending Promise.u;
  mutable hook : Switch.hook;
}

let finish t ending =
  if not (Promise.is_resolved t.over) then begin
    Switch.remove_hook t.hook;
    Caller.close t.caller ending;
    Waiting.advance t.waiting;
    Promise.resolve t.set_over ending;
    Transport.close t.transport
  end

(* Who may call no more ends the stream once all calls are answered. *)
let settle t =
  Waiting.advance t.waiting;
  if Caller.may_end t.caller then Transport.finish t.transport;
  Transport.wake t.transport

let frame t content =
  let result = Caller.input t.caller content in
  settle t;
  result

let run t =
  let read () =
    Transport.read t.transport (frame t);
    Error.Ended
  in
  (* A peer that cannot be told does not end its stream either. *)
  let write () =
    if Transport.write t.transport then Fiber.await_cancel ();
    Error.Ended
  in
  finish t (Fiber.first (fun () -> Transport.ending read) (fun () -> Transport.ending write))

let create ~sw ~clock ?(limits = Limits.default) flow =
  let caller = Caller.create limits in
  let waiting = Waiting.create limits caller in
  let over, set_over = Promise.create () in
  let on_room () = Waiting.advance waiting in
  let t =
    {
      caller;
      waiting;
      transport = Transport.create ~on_room ~limits (Caller.outbox caller) flow;
      clock :> Eio.Time.Mono.ty r;
      over;
      set_over;
      hook = Switch.null_hook;
    }
  in
  t.hook <- Switch.on_release_cancellable sw (fun () -> finish t Stopped);
  Fiber.fork_daemon ~sw (fun () ->
      run t;
      `Stop_daemon);
  t

(* {1 Calling} *)

let rec attempt t place deadline (m : _ Method.t) request =
  let turn, set_turn = Promise.create () in
  Waiting.enter t.waiting place (Promise.resolve set_turn);
  Promise.await turn;
  let answer, set_answer = Promise.create () in
  let timeout_us = Deadline.left_us ~now:(Transport.now t.clock) deadline in
  match
    Waiting.send t.waiting place ~timeout_us m.name
      (fun out -> m.request.encode out request)
      (fun a ->
        let late = Transport.now t.clock >= deadline in
        Promise.resolve set_answer (Caller.decode m ~late a))
  with
  | Not_yet -> attempt t place deadline m request
  | Over ending -> Error (Error.Closed ending)
  | exception Output.Too_long -> Error (Error.Too_large (Caller.max_request t.caller))
  | Sent ->
      Transport.wake t.transport;
      Promise.await answer

let attempt t deadline m request =
  let place = Waiting.place t.waiting in
  try attempt t place deadline m request
  with e ->
    Waiting.give_up t.waiting place;
    Transport.wake t.transport;
    raise e

let call t ?timeout_ns m request =
  match timeout_ns with
  | None -> attempt t Weir_base.Time.never m request
  | Some ns ->
      let deadline = Transport.after t.clock ns in
      Fiber.first
        (fun () -> attempt t deadline m request)
        (fun () ->
          Transport.sleep_until t.clock deadline;
          Error Error.Timed_out)

(* {1 Ending} *)

let await_end t = Promise.await t.over

let close t =
  Caller.stop t.caller;
  settle t;
  ignore (await_end t)

let state t =
  match Caller.state t.caller with Over ending -> Some ending | Greeting | Open _ -> None
