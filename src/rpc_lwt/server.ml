open Weir_rpc
module Output = Weir_message.Output

let ( let* ) = Lwt.bind

(* {1 Handlers} *)

type handler =
  | Handler : ('request, 'response) Method.t * ('request -> 'response Lwt.t) -> handler
  | Download :
      ('request, 'response) Method.download * ('request -> ('response -> unit Lwt.t) -> unit Lwt.t)
      -> handler
  | Upload :
      ('request, 'response) Method.upload * ((unit -> 'request option Lwt.t) -> 'response Lwt.t)
      -> handler
  | Exchange :
      ('request, 'response) Method.exchange
      * ((unit -> 'request option Lwt.t) -> ('response -> unit Lwt.t) -> unit Lwt.t)
      -> handler

type threads = { start : 'a. (unit -> 'a) -> 'a Lwt.t; await : 'a. 'a Lwt.t -> 'a }

let at_once = { start = (fun f -> Lwt.return (f ())); await = (fun _ -> assert false) }

let of_direct ?threads (handler : Service.handler) =
  let { start; await } = Option.value threads ~default:at_once in
  match (handler, threads) with
  | Handler (m, f), _ -> Handler (m, fun request -> start (fun () -> f request))
  | _, None -> invalid_arg "Server.of_direct: a handler of streams has to wait"
  | Download (m, f), _ ->
      Download (m, fun request send -> start (fun () -> f request (fun v -> await (send v))))
  | Upload (m, f), _ -> Upload (m, fun receive -> start (fun () -> f (fun () -> await (receive ()))))
  | Exchange (m, f), _ ->
      Exchange
        ( m,
          fun receive send ->
            start (fun () -> f (fun () -> await (receive ())) (fun v -> await (send v))) )

type pipe = { take : unit -> string option Lwt.t; put : string -> unit Lwt.t }
type run = pipe -> (Output.t -> unit) Lwt.t

let receive (m : _ Method.t) pipe () =
  Lwt.map (Option.map (Service.received m.request)) (pipe.take ())

let send (m : _ Method.t) pipe v =
  Lwt.apply (fun v -> pipe.put (Weir_message.Codec.to_string m.response v)) v

let written (m : _ Method.t) = Lwt.map (fun response out -> m.response.encode out response)
let nothing = Lwt.map (fun () -> ignore)

let entry : handler -> run Service.entry = function
  | Handler (m, f) -> Service.entry m (fun request _ -> written m (f request))
  | Download ((Download m as d), f) ->
      Service.download d (fun request pipe -> nothing (f request (send m pipe)))
  | Upload (Upload m, f) -> Service.streamed m Up (fun pipe -> written m (f (receive m pipe)))
  | Exchange (Exchange m, f) ->
      Service.streamed m Both (fun pipe -> nothing (f (receive m pipe) (send m pipe)))

(* {1 Servers} *)

type connection = {
  callee : Callee.t;
  transport : Transport.t;
  running : (int, Failure.code -> unit) Hashtbl.t;  (** cancels the call with this failure *)
  cut : unit Lwt.u;
  mutable closed : bool;  (** results of handlers are dropped *)
}

type t = {
  service : run Service.t;
  limits : Limits.t;
  timeout_ns : int;
  idle_ns : int;
  turns : Turns.t;
  clock : Clock.t;
  report : string -> exn -> unit;
  open_ : (int, connection) Hashtbl.t;
  gone : unit Lwt_condition.t;  (** a connection is over *)
  mutable last : int;
  mutable stopping : bool;
}

let create ~clock ?(limits = Limits.default) ?(concurrency = 1_024)
    ?(timeout_ns = Weir_base.Time.never) ?(idle_ns = Weir_base.Time.never) ?(report = fun _ _ -> ())
    handlers =
  Limits.check limits;
  if concurrency < 1 then invalid_arg "Server.create: concurrency";
  if timeout_ns < 1 || idle_ns < 1 then invalid_arg "Server.create: a time that is not positive";
  {
    service = Service.of_entries (List.map entry handlers);
    limits;
    timeout_ns;
    idle_ns;
    turns = Turns.create concurrency;
    clock;
    report;
    open_ = Hashtbl.create 16;
    gone = Lwt_condition.create ();
    last = 0;
    stopping = false;
  }

let connections t = Hashtbl.length t.open_

(* {1 One call} *)

let with_turn t f =
  let turn, wake = Lwt.task () in
  let place = Turns.join t.turns (Lwt.wakeup_later wake) in
  if Turns.has place then Lwt.wakeup wake ();
  Lwt.finalize
    (fun () -> Lwt.bind turn f)
    (fun () ->
      Turns.leave t.turns place;
      Lwt.return_unit)

let internal t name e =
  t.report name e;
  Failure.make Internal ""

let outcome t c id timeout_us name run =
  let given_up = ref None in
  (* The permit may be granted after the call was cancelled. *)
  let run () = if !given_up = None then run () else Lwt.fail Lwt.Canceled in
  let handled = with_turn t run in
  let cancel code =
    if !given_up = None then begin
      given_up := Some code;
      Lwt.cancel handled;
      (* Wakes a handler that waits for its streams although it ignores cancellation. *)
      Callee.give_up c.callee id;
      Transport.progress c.transport
    end
  in
  if Lwt.is_sleeping handled then
    if c.closed then cancel Failure.Cancelled else Hashtbl.replace c.running id cancel;
  let ns = Deadline.allowed_ns ~limit_ns:t.timeout_ns ~timeout_us in
  if ns <> Weir_base.Time.never && Lwt.is_sleeping handled then begin
    let timer = Clock.sleep_until t.clock (Clock.after t.clock ns) in
    Lwt.on_termination handled (fun () -> Lwt.cancel timer);
    Lwt.on_success timer (fun () -> cancel Timed_out)
  end;
  Lwt.try_bind
    (fun () -> handled)
    (fun write ->
      Hashtbl.remove c.running id;
      match !given_up with
      | Some Timed_out -> Lwt.return_error (Failure.make Timed_out "")
      | _ -> Lwt.return_ok write)
    (fun e ->
      Hashtbl.remove c.running id;
      match (e, !given_up) with
      | (Lwt.Canceled | Failure.Failed { code = Cancelled; _ }), Some code ->
          Lwt.return_error (Failure.make code "")
      | Failure.Failed f, _ -> Lwt.return_error f
      | e, _ -> Lwt.return_error (internal t name e))

let no_pipe = { take = (fun () -> Lwt.return_none); put = (fun _ -> Lwt.return_unit) }

let pipe c id =
  match Callee.stream c.callee id with
  | None -> no_pipe
  | Some stream ->
      let put message =
        Transport.put c.transport stream message
        |> Lwt.map (function
          | Stream.Sent | Wait -> ()
          | Over -> Service.given_up ()
          | Too_long n -> Service.too_long n)
      in
      let take () =
        Transport.take c.transport stream
        |> Lwt.map (function
          | Stream.Message message -> Some message
          | End | Nothing_yet -> None
          | Given_up -> Service.given_up ())
      in
      { take; put }

let touch t c =
  if t.idle_ns <> Weir_base.Time.never then Callee.touch c.callee ~now:(t.clock.now ())

let answer t c id timeout_us name run =
  let* outcome = outcome t c id timeout_us name run in
  touch t c;
  Callee.hold c.callee;
  Transport.with_room c.transport @@ fun () ->
  Callee.release c.callee;
  if not c.closed then begin
    (match outcome with
    | Error failure -> Callee.fail c.callee id failure
    | Ok write -> (
        try Callee.reply c.callee id write with e -> Callee.fail c.callee id (internal t name e)));
    touch t c;
    Transport.wake c.transport;
    Transport.progress c.transport
  end

(* {1 One connection} *)

let frame t c failed content =
  touch t c;
  let result =
    match
      (* A handler may have ended the connection at its start. *)
      if c.closed then Error "it is closed" else Service.input t.service c.callee content
    with
    | Error _ as e -> e
    | Ok Nothing -> Ok ()
    | Ok Stream ->
        Transport.progress c.transport;
        Ok ()
    | Ok (Cancel id) ->
        Option.iter (fun cancel -> cancel Failure.Cancelled) (Hashtbl.find_opt c.running id);
        Ok ()
    | Ok (Run { id; timeout_us; name; run }) ->
        let pipe = pipe c id in
        let run () = run pipe in
        Lwt.on_failure (Lwt.apply (answer t c id timeout_us name) run) failed;
        Ok ()
  in
  Transport.wake c.transport;
  let* () = Transport.await c.transport (fun () -> Callee.may_read c.callee) in
  Lwt.return result

let rec await_idle t c =
  match Callee.until_idle c.callee ~now:(t.clock.now ()) ~idle_ns:t.idle_ns with
  | 0 -> Lwt.return_unit
  | ns ->
      let* () = Clock.sleep_until t.clock (Clock.after t.clock ns) in
      await_idle t c

let drain c =
  Callee.drain c.callee;
  Transport.wake c.transport

let run t c cut =
  (* An exception of [report] ends the connection. *)
  let failure, fail = Lwt.task () in
  let failed e = if Lwt.is_sleeping failure then Lwt.wakeup_later_exn fail e in
  let read () =
    let* () = Transport.read c.transport (frame t c failed) in
    if Callee.abandoned c.callee then Lwt.return Error.Abandoned
    else
      let* () = Transport.await c.transport (fun () -> Callee.running c.callee = 0) in
      Transport.finish c.transport;
      fst (Lwt.task ())
  in
  let write () =
    let* _told = Transport.write c.transport in
    Lwt.return Error.Ended
  in
  let idle () =
    let* () = await_idle t c in
    drain c;
    let* () = Clock.sleep_until t.clock (Clock.after t.clock t.idle_ns) in
    Lwt.return Error.Stopped
  in
  let cut () = Lwt.map (fun () -> Error.Stopped) cut in
  Lwt.pick [ failure; Transport.ending read; Transport.ending write; cut (); idle () ]

let start t flow =
  let callee = Callee.create t.limits and cut, set_cut = Lwt.task () in
  Callee.touch callee ~now:(t.clock.now ());
  let transport = Transport.create ~limits:t.limits (Callee.outbox callee) flow in
  ({ callee; transport; running = Hashtbl.create 16; cut = set_cut; closed = false }, cut)

let over t id c =
  c.closed <- true;
  Callee.close c.callee;
  let running = Hashtbl.fold (fun _ cancel l -> cancel :: l) c.running [] in
  List.iter (fun cancel -> cancel Failure.Cancelled) running;
  Transport.progress c.transport;
  let* () = Transport.close c.transport in
  Hashtbl.remove t.open_ id;
  Lwt_condition.broadcast t.gone ();
  Lwt.return_unit

let serve t flow =
  let c, cut = start t flow in
  let id = t.last + 1 in
  t.last <- id;
  Lwt.finalize
    (fun () ->
      if t.stopping then Lwt.return Error.Stopped
      else begin
        Hashtbl.replace t.open_ id c;
        run t c cut
      end)
    (fun () -> over t id c)

(* {1 The end} *)

let rec await_none t =
  if connections t = 0 then Lwt.return_unit
  else
    let* () = Lwt_condition.wait t.gone in
    await_none t

let shutdown ?(grace_ns = Weir_base.Time.s 5) t =
  t.stopping <- true;
  let each f = Hashtbl.fold (fun _ c l -> c :: l) t.open_ [] |> List.iter f in
  each drain;
  let* () = Lwt.pick [ await_none t; Clock.sleep_until t.clock (Clock.after t.clock grace_ns) ] in
  each (fun c -> try Lwt.wakeup_later c.cut () with Invalid_argument _ -> ());
  await_none t
