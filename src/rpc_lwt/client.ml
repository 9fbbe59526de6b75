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

(* When no more calls are allowed and all are answered, end the stream. *)
let settle t =
  Waiting.advance t.waiting;
  if Caller.may_end t.caller then Transport.finish t.transport;
  Transport.wake t.transport

let frame t content =
  let result = Caller.input t.caller content in
  Transport.progress t.transport;
  settle t;
  Lwt.return result

let run t stopped =
  let read () =
    let* () = Transport.read t.transport (frame t) in
    Lwt.return Error.Ended
  in
  (* A flow without half-close cannot show the end, so the peer does not answer it. *)
  let write () =
    let* told = Transport.write t.transport in
    if told then fst (Lwt.task ()) else Lwt.return Error.Ended
  in
  let* ending =
    Lwt.catch
      (fun () ->
        Lwt.pick
          [
            Transport.ending read; Transport.ending write; Lwt.map (fun () -> Error.Stopped) stopped;
          ])
      (fun e -> Lwt.return (Error.Lost e))
  in
  Caller.close t.caller ending;
  Waiting.advance t.waiting;
  Transport.progress t.transport;
  let* () = Transport.close t.transport in
  Lwt.return ending

let abort t =
  Caller.close t.caller Stopped;
  Waiting.advance t.waiting;
  Transport.progress t.transport;
  if Lwt.is_sleeping t.over then try Lwt.wakeup_later t.stop () with Invalid_argument _ -> ()

let create ?switch ~clock ?(limits = Limits.default) flow =
  Lwt_switch.check switch;
  let caller = Caller.create limits in
  let waiting = Waiting.create limits caller in
  let on_room () = Waiting.advance waiting in
  let transport =
    Transport.create ~on_room ~limits ~room:(Waiting.room waiting) (Caller.outbox caller) flow
  in
  let over, set_over = Lwt.wait () and stopped, stop = Lwt.task () in
  let t = { caller; waiting; transport; clock; over; stop } in
  (* A switch keeps its hooks, so this hook must not refer to a closed client. *)
  let live = ref (Some t) in
  Lwt_switch.add_hook switch (fun () ->
      match !live with
      | None -> Lwt.return_unit
      | Some t ->
          abort t;
          Lwt.map ignore t.over);
  Lwt.on_termination over (fun () -> live := None);
  Lwt.on_any (run t stopped) (Lwt.wakeup_later set_over) (Lwt.wakeup_later_exn set_over);
  t

(* {1 Calling} *)

(* A call, without the types of its messages. *)
type 'a call = {
  name : string;
  shape : Method.shape;
  write : Output.t -> unit;  (** the request *)
  decode : late:bool -> Caller.answer -> ('a, Error.t) result;
  during : Stream.t -> unit Lwt.t;  (** must end before the result is returned *)
}

(* The result, which the caller may cancel. It is returned when [during] is done. *)
let submit t timeout_ns call =
  let result, resolver = Lwt.task () in
  let deadline =
    match timeout_ns with None -> Weir_base.Time.never | Some ns -> Clock.after t.clock ns
  in
  let place = Waiting.place t.waiting in
  let during = ref Lwt.return_unit and ended, set_ended = Lwt.wait () in
  let give_up () =
    Waiting.give_up t.waiting place;
    Transport.wake t.transport;
    Lwt.cancel !during
  in
  let finish a = if Lwt.is_sleeping result then Lwt.wakeup_later resolver a in
  let fail e = if Lwt.is_sleeping result then Lwt.wakeup_later_exn resolver e in
  let answer a =
    let a = call.decode ~late:(Deadline.is_over ~now:t.clock.now deadline) a in
    if call.shape = Single then finish a else Lwt.on_success ended (fun () -> finish a)
  in
  (* If the flow does not wait, the answer, or the end of the connection, may arrive within this
     call. *)
  let sent () =
    Transport.wake t.transport;
    match Waiting.stream place with
    | None -> ()
    | Some stream ->
        during := Lwt.apply call.during stream;
        Lwt.on_any !during (Lwt.wakeup_later set_ended) (fun e ->
            give_up ();
            fail e);
        if not (Lwt.is_sleeping result) then Lwt.cancel !during
  in
  let rec on_turn () =
    let timeout_us = Deadline.left_us ~now:t.clock.now deadline in
    match
      Waiting.send t.waiting place ~shape:call.shape ~timeout_us call.name call.write answer
    with
    | Not_yet -> Waiting.enter t.waiting place on_turn
    | Over ending -> finish (Error (Error.Closed ending))
    | Sent -> sent ()
    | exception Output.Too_long ->
        finish (Error (Too_large (Caller.max_request t.caller call.shape)))
    | exception e -> fail e
  in
  if deadline <= t.clock.now () then finish (Error Timed_out)
  else begin
    Lwt.on_cancel result give_up;
    Waiting.enter t.waiting place on_turn;
    if deadline <> Weir_base.Time.never && Lwt.is_sleeping result then begin
      let timer = Clock.sleep_until t.clock deadline in
      Lwt.on_termination result (fun () -> Lwt.cancel timer);
      Lwt.on_success timer (fun () ->
          if Lwt.is_sleeping result then begin
            finish (Error Timed_out);
            give_up ()
          end)
    end
  end;
  result

let call t ?timeout_ns (m : _ Method.t) request =
  submit t timeout_ns
    {
      name = m.name;
      shape = Single;
      write = (fun out -> m.request.encode out request);
      decode = (fun ~late a -> Caller.decode m ~late a);
      during = (fun _ -> Lwt.return_unit);
    }

(* {1 Streams} *)

(* Ends a call from within [during]. *)
exception Fault of Stream.t * Error.t

let receive t (m : _ Method.t) stream () =
  let* taken = Transport.take t.transport stream in
  match taken with
  | End | Given_up | Nothing_yet -> Lwt.return_none
  | Message message -> (
      match Weir_message.Codec.read m.response (Weir_flow.Slice.of_string message) with
      | Ok v -> Lwt.return_some v
      | Error why -> Lwt.fail (Fault (stream, Undecodable why)))

let send t (m : _ Method.t) stream v =
  let put v = Transport.put t.transport stream (Weir_message.Codec.to_string m.request v) in
  let* sent = Lwt.apply put v in
  match sent with
  | Sent | Wait -> Lwt.return_true
  | Over -> Lwt.return_false
  | Too_long n -> Lwt.fail (Fault (stream, Too_large n))

let finish_stream t stream =
  Stream.finish stream;
  Transport.wake t.transport

(* The answer after a stream of responses is empty. *)
let streamed t timeout_ns (m : _ Method.t) shape write answer f =
  let m = Method.make m.name m.request answer in
  let result = ref None and mine = ref None in
  let during stream =
    mine := Some stream;
    let* r = f stream in
    result := Some r;
    Stream.discard stream;
    finish_stream t stream;
    Lwt.return_unit
  in
  let decode ~late a = Caller.decode m ~late a in
  Lwt.catch
    (fun () ->
      Lwt.map
        (Result.map (fun a -> (a, Option.get !result)))
        (submit t timeout_ns { name = m.name; shape; write; decode; during }))
    (function
      | Fault (stream, e) when Option.fold ~none:false ~some:(( == ) stream) !mine ->
          Lwt.return_error e
      | e -> Lwt.fail e)

let download t ?timeout_ns (Method.Download m) request f =
  let write out = m.request.encode out request in
  let rec each stream =
    let* taken = receive t m stream () in
    match taken with
    | None -> Lwt.return_unit
    | Some v ->
        let* () = f v in
        each stream
  in
  Lwt.map (Result.map ignore) (streamed t timeout_ns m Down write Weir_message.Codec.unit each)

let upload t ?timeout_ns (Method.Upload m) f =
  Lwt.map (Result.map fst)
    (streamed t timeout_ns m Up ignore m.response (fun stream -> f (send t m stream)))

type ('request, 'response) streams = {
  send : 'request -> bool Lwt.t;
  finish : unit -> unit;
  receive : unit -> 'response option Lwt.t;
}

let exchange t ?timeout_ns (Method.Exchange m) f =
  let during stream =
    let finish () = finish_stream t stream in
    f { send = send t m stream; finish; receive = receive t m stream }
  in
  Lwt.map (Result.map snd) (streamed t timeout_ns m Both ignore Weir_message.Codec.unit during)

(* {1 Ending} *)

let await_end t = Lwt.protected t.over

let close t =
  Caller.stop t.caller;
  settle t;
  Lwt.map ignore (await_end t)

let state t =
  match Caller.state t.caller with Over ending -> Some ending | Greeting | Open _ -> None
