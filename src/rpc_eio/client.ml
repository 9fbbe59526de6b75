open Eio.Std
open Weir_rpc
module Output = Weir_message.Output

type t = {
  caller : Caller.t;
  transport : Transport.t;
  clock : Eio.Time.Mono.ty r;
  turns : Eio.Semaphore.t;  (** one for each call that the server still takes *)
  over : Error.ending Promise.t;
  set_over : Error.ending Promise.u;
  mutable hook : Switch.hook;
}

let is_open t = match Caller.state t.caller with Open _ -> true | Greeting | Over _ -> false

(* Those who wait for a turn pass this one on, each failing; those who wait for
   room fail too. *)
let turn_away t =
  Eio.Semaphore.release t.turns;
  Transport.progress t.transport

let finish t ending =
  if not (Promise.is_resolved t.over) then begin
    Switch.remove_hook t.hook;
    Caller.close t.caller ending;
    turn_away t;
    Promise.resolve t.set_over ending;
    Transport.close t.transport
  end

(* Who may call no more ends the stream once all calls are answered. *)
let settle t =
  match Caller.state t.caller with
  | Over _ when Caller.unanswered t.caller = 0 -> Transport.finish t.transport
  | _ -> ()

let frame t content =
  let before = Caller.state t.caller in
  let result = Caller.input t.caller content in
  (match (before, Caller.state t.caller) with
  | Greeting, Open n ->
      for _ = 1 to n do
        Eio.Semaphore.release t.turns
      done
  | (Greeting | Open _), Over _ -> turn_away t
  | _ -> ());
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
  let over, set_over = Promise.create () in
  let t =
    {
      caller;
      transport = Transport.create ~limits (Caller.outbox caller) flow;
      clock :> Eio.Time.Mono.ty r;
      turns = Eio.Semaphore.make 0;
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

let decode (m : _ Method.t) = function
  | Error _ as e -> e
  | Ok view ->
      Result.map_error (fun why -> Error.Undecodable why) (Weir_message.Codec.read m.response view)

(* The server is told what is left, at least a microsecond. *)
let left t deadline =
  if deadline = Weir_base.Time.never then 0
  else Int.max 1 ((deadline - Transport.now t.clock) / 1_000)

(* With a turn, which is given back when the call is answered, wanted or not. *)
let send t deadline (m : _ Method.t) request =
  let answer, set_answer = Promise.create () in
  let wanted = ref true in
  let on_answer a =
    Eio.Semaphore.release t.turns;
    if !wanted then Promise.resolve set_answer (decode m a)
  in
  let write out = m.request.encode out request in
  match Caller.call t.caller ~timeout_us:(left t deadline) m.name write on_answer with
  | exception Output.Too_long ->
      Eio.Semaphore.release t.turns;
      Error (Error.Too_large (Caller.max_request t.caller))
  | exception e ->
      Eio.Semaphore.release t.turns;
      raise e
  | id -> (
      Transport.wake t.transport;
      try Promise.await answer
      with e ->
        wanted := false;
        Caller.cancel t.caller id;
        Transport.wake t.transport;
        raise e)

let attempt t deadline m request =
  Eio.Semaphore.acquire t.turns;
  match
    Transport.await t.transport (fun () -> Transport.has_room t.transport || not (is_open t))
  with
  | exception e ->
      Eio.Semaphore.release t.turns;
      raise e
  | () -> (
      match Caller.state t.caller with
      | Open _ -> send t deadline m request
      | Over ending ->
          Eio.Semaphore.release t.turns;
          Error (Error.Closed ending)
      | Greeting -> assert false)

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
  turn_away t;
  settle t;
  ignore (await_end t)

let state t =
  match Caller.state t.caller with Over ending -> Some ending | Greeting | Open _ -> None
