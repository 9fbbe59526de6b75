open Eio.Std
open Weir_rpc

type connection = {
  callee : Callee.t;
  transport : Transport.t;
  running : (int, Eio.Cancel.t) Hashtbl.t;  (** handlers, to be cancelled *)
  mutable active : Weir_base.Time.t;  (** when a packet came or a call was answered last *)
  cut : unit Promise.t;
  set_cut : unit Promise.u;
}

type t = {
  service : Service.t;
  limits : Limits.t;
  timeout_ns : int;
  idle_ns : int;
  turns : Eio.Semaphore.t;
  clock : Eio.Time.Mono.ty r;
  report : string -> exn -> unit;
  open_ : (int, connection) Hashtbl.t;
  gone : Eio.Condition.t;  (** a connection is over *)
  mutable last : int;
  mutable stopping : bool;
}

exception Abandoned

let create ~clock ?(limits = Limits.default) ?(concurrency = 1_024)
    ?(timeout_ns = Weir_base.Time.never) ?(idle_ns = Weir_base.Time.never) ?(report = fun _ _ -> ())
    handlers =
  Limits.check limits;
  if concurrency < 1 then invalid_arg "Server.create: concurrency";
  if timeout_ns < 1 || idle_ns < 1 then invalid_arg "Server.create: a time that is not positive";
  {
    service = Service.make handlers;
    limits;
    timeout_ns;
    idle_ns;
    turns = Eio.Semaphore.make concurrency;
    clock :> Eio.Time.Mono.ty r;
    report;
    open_ = Hashtbl.create 16;
    gone = Eio.Condition.create ();
    last = 0;
    stopping = false;
  }

let connections t = Hashtbl.length t.open_

(* {1 One call} *)

let with_turn t f =
  Eio.Semaphore.acquire t.turns;
  Fun.protect ~finally:(fun () -> Eio.Semaphore.release t.turns) f

(* Waiting for a turn counts. *)
let in_time t timeout_us f =
  let never = Weir_base.Time.never in
  let ns =
    if timeout_us = 0 || timeout_us > never / 1_000 then t.timeout_ns
    else Int.min t.timeout_ns (timeout_us * 1_000)
  in
  if ns = never then Ok (f ())
  else
    let deadline = Transport.after t.clock ns in
    Fiber.first
      (fun () -> Ok (f ()))
      (fun () ->
        Transport.sleep_until t.clock deadline;
        Error (Failure.make Timed_out ""))

let internal t name e =
  t.report name e;
  Failure.make Internal ""

let outcome t c id timeout_us name run =
  match
    Eio.Cancel.sub (fun context ->
        Hashtbl.replace c.running id context;
        (* Once it has ended it cannot be cancelled. *)
        Fun.protect
          ~finally:(fun () -> Hashtbl.remove c.running id)
          (fun () -> in_time t timeout_us (fun () -> with_turn t run)))
  with
  | outcome -> outcome
  | exception Failure.Failed f -> Error f
  | exception (Abandoned | Eio.Cancel.Cancelled Abandoned) -> Error (Failure.make Cancelled "")
  | exception e ->
      (* The connection's own cancellation is not the handler's failure. *)
      Fiber.check ();
      Error (internal t name e)

let touch t c = if t.idle_ns <> Weir_base.Time.never then c.active <- Transport.now t.clock

let answer t c id timeout_us name run =
  let outcome = outcome t c id timeout_us name run in
  Transport.await_room c.transport;
  (match outcome with
  | Error failure -> Callee.fail c.callee id failure
  | Ok write -> (
      try Callee.reply c.callee id write with e -> Callee.fail c.callee id (internal t name e)));
  touch t c;
  Transport.wake c.transport;
  Transport.progress c.transport

(* {1 One connection} *)

let frame t c ~sw content =
  touch t c;
  let result =
    match Callee.input c.callee content with
    | Error _ as e -> e
    | Ok Nothing -> Ok ()
    | Ok (Cancel id) ->
        Option.iter
          (fun context -> Eio.Cancel.cancel context Abandoned)
          (Hashtbl.find_opt c.running id);
        Ok ()
    | Ok (Call { id; timeout_us; name; request }) ->
        (match Service.prepare t.service name request with
        | Error failure -> Callee.fail c.callee id failure
        | Ok run -> Fiber.fork ~sw (fun () -> answer t c id timeout_us name run));
        Ok ()
  in
  Transport.wake c.transport;
  Transport.await c.transport (fun () -> Callee.may_read c.callee);
  result

let rec await_idle t c =
  let now = Transport.now t.clock in
  let since = if Callee.running c.callee > 0 then now else c.active in
  if now - since < t.idle_ns then begin
    Transport.sleep_until t.clock (Transport.after t.clock (t.idle_ns - (now - since)));
    await_idle t c
  end

let drain c =
  Callee.drain c.callee;
  Transport.wake c.transport

let run t c =
  let read () =
    (* The switch waits for the handlers, or cancels them. *)
    Switch.run ~name:"rpc calls" (fun sw -> Transport.read c.transport (frame t c ~sw));
    Transport.finish c.transport;
    Fiber.await_cancel ()
  in
  let write () =
    let _told = Transport.write c.transport in
    Error.Ended
  in
  let cut () =
    Promise.await c.cut;
    Error.Stopped
  in
  let idle () =
    await_idle t c;
    drain c;
    Transport.sleep_until t.clock (Transport.after t.clock t.idle_ns);
    Error.Stopped
  in
  Fiber.any [ (fun () -> Transport.ending read); (fun () -> Transport.ending write); cut; idle ]

let start t flow =
  let callee = Callee.create t.limits and cut, set_cut = Promise.create () in
  let transport = Transport.create ~limits:t.limits (Callee.outbox callee) flow in
  { callee; transport; running = Hashtbl.create 16; active = Transport.now t.clock; cut; set_cut }

let serve t flow =
  let c = start t flow in
  let id = t.last + 1 in
  t.last <- id;
  Fun.protect ~finally:(fun () ->
      Hashtbl.remove t.open_ id;
      Eio.Condition.broadcast t.gone;
      Transport.close c.transport)
  @@ fun () ->
  if t.stopping then Error.Stopped
  else begin
    Hashtbl.replace t.open_ id c;
    run t c
  end

(* {1 The end} *)

let await_none t =
  Eio.Condition.loop_no_mutex t.gone (fun () -> if connections t = 0 then Some () else None)

let shutdown ?(grace_ns = Weir_base.Time.s 5) t =
  t.stopping <- true;
  let each f = Hashtbl.iter (fun _ c -> f c) t.open_ in
  each drain;
  Fiber.first
    (fun () -> await_none t)
    (fun () -> Transport.sleep_until t.clock (Transport.after t.clock grace_ns));
  each (fun c -> ignore (Promise.try_resolve c.set_cut ()));
  await_none t
