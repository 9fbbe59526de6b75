open Eio.Std
open Weir_rpc

type connection = {
  callee : Callee.t;
  transport : Transport.t;
  running : (int, Eio.Cancel.t) Hashtbl.t;  (** handlers, to be cancelled *)
  cut : unit Promise.t;
  set_cut : unit Promise.u;
}

type t = {
  service : Service.direct Service.t;
  limits : Limits.t;
  timeout_ns : int;
  idle_ns : int;
  turns : Turns.t;
  clock : Eio.Time.Mono.ty r;
  report : string -> exn -> unit;
  open_ : (int, connection) Hashtbl.t;
  gone : Eio.Condition.t;  (** a connection is over *)
  mutable last : int;
  mutable stopping : bool;
}

exception Given_up

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
    turns = Turns.create concurrency;
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
  let place =
    match Turns.try_join t.turns with
    | Some place -> place
    | None -> (
        let turn, set_turn = Promise.create () in
        let place = Turns.join t.turns (Promise.resolve set_turn) in
        try
          Promise.await turn;
          place
        with e ->
          Turns.leave t.turns place;
          raise e)
  in
  match f () with
  | v ->
      Turns.leave t.turns place;
      v
  | exception e ->
      Turns.leave t.turns place;
      raise e

(* The time includes the wait for a permit. *)
let in_time t timeout_us f =
  let ns = Deadline.allowed_ns ~limit_ns:t.timeout_ns ~timeout_us in
  if ns = Weir_base.Time.never then Ok (f ())
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
        (* A handler that has ended must not be cancelled. *)
        Fun.protect
          ~finally:(fun () -> Hashtbl.remove c.running id)
          (fun () -> in_time t timeout_us (fun () -> with_turn t run)))
  with
  | outcome -> outcome
  | exception Failure.Failed f -> Error f
  | exception (Given_up | Eio.Cancel.Cancelled Given_up) -> Error (Failure.make Cancelled "")
  | exception e ->
      (* The connection's own cancellation is not the handler's failure. *)
      Fiber.check ();
      Error (internal t name e)

let pipe c id : Service.pipe =
  match Callee.stream c.callee id with
  | None -> Service.no_pipe
  | Some stream ->
      let put message =
        match Transport.put c.transport stream message with
        | Sent | Wait -> ()
        | Over -> Service.given_up ()
        | Too_long n -> Service.too_long n
      in
      let take () =
        match Transport.take c.transport stream with
        | Message message -> Some message
        | End | Nothing_yet -> None
        | Given_up -> Service.given_up ()
      in
      { take; put }

let touch t c =
  if t.idle_ns <> Weir_base.Time.never then Callee.touch c.callee ~now:(Transport.now t.clock)

let answer t c id timeout_us name run =
  let outcome = outcome t c id timeout_us name run in
  touch t c;
  Callee.hold c.callee;
  Transport.with_room c.transport ignore;
  Callee.release c.callee;
  (match outcome with
  | Error failure -> Callee.fail c.callee id failure
  | Ok write -> (
      try Callee.reply c.callee id write
      with e ->
        Fiber.check ();
        Callee.fail c.callee id (internal t name e)));
  touch t c;
  Transport.wake c.transport;
  Transport.progress c.transport

(* {1 One connection} *)

let cancel context = Eio.Cancel.cancel context Given_up

let frame t c ~sw content =
  touch t c;
  let result =
    match Service.input t.service c.callee content with
    | Error _ as e -> e
    | Ok Nothing -> Ok ()
    | Ok Stream ->
        Transport.progress c.transport;
        Ok ()
    | Ok (Cancel id) ->
        Option.iter cancel (Hashtbl.find_opt c.running id);
        Transport.progress c.transport;
        Ok ()
    | Ok (Run { id; timeout_us; name; run }) ->
        let pipe = pipe c id in
        Fiber.fork_daemon ~sw (fun () ->
            answer t c id timeout_us name (fun () -> run pipe);
            `Stop_daemon);
        Ok ()
  in
  Transport.wake c.transport;
  Transport.await c.transport (fun () -> Callee.may_read c.callee);
  result

let rec await_idle t c =
  match Callee.until_idle c.callee ~now:(Transport.now t.clock) ~idle_ns:t.idle_ns with
  | 0 -> ()
  | ns ->
      Transport.sleep_until t.clock (Transport.after t.clock ns);
      await_idle t c

let drain c =
  Callee.drain c.callee;
  Transport.wake c.transport

let run t c ~sw =
  let read () =
    Transport.read c.transport (frame t c ~sw);
    if Callee.abandoned c.callee then Error.Abandoned
    else begin
      Transport.await c.transport (fun () -> Callee.running c.callee = 0);
      Transport.finish c.transport;
      Fiber.await_cancel ()
    end
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
  Callee.touch callee ~now:(Transport.now t.clock);
  let transport = Transport.create ~limits:t.limits (Callee.outbox callee) flow in
  { callee; transport; running = Hashtbl.create 16; cut; set_cut }

let over t id c =
  Fun.protect
    ~finally:(fun () ->
      Hashtbl.remove t.open_ id;
      Eio.Condition.broadcast t.gone)
    (fun () ->
      Callee.close c.callee;
      let running = Hashtbl.fold (fun _ context l -> context :: l) c.running [] in
      List.iter cancel running;
      (* Wakes handlers that wait for their streams although they ignore cancellation. *)
      Transport.progress c.transport;
      Transport.close c.transport)

let serve t flow =
  let c = start t flow in
  let id = t.last + 1 in
  t.last <- id;
  (* When the switch ends, it cancels the handlers and waits for them. The flow is closed before, so
     the peer does not wait for handlers that ignore cancellation. *)
  Switch.run ~name:"rpc calls" @@ fun sw ->
  Fun.protect ~finally:(fun () -> over t id c) @@ fun () ->
  if t.stopping then Error.Stopped
  else begin
    Hashtbl.replace t.open_ id c;
    run t c ~sw
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
