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
    Transport.progress t.transport;
    Promise.resolve t.set_over ending;
    Transport.close t.transport
  end

(* When no more calls are allowed and all are answered, end the stream. *)
let settle t =
  Waiting.advance t.waiting;
  if Caller.may_end t.caller then Transport.finish t.transport;
  Transport.wake t.transport

let frame t content =
  let result = Caller.input t.caller content in
  Transport.progress t.transport;
  settle t;
  result

let run t =
  let read () =
    Transport.read t.transport (frame t);
    Error.Ended
  in
  (* A flow without half-close cannot show the end, so the peer does not answer it. *)
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
      transport =
        Transport.create ~on_room ~limits ~room:(Waiting.room waiting) (Caller.outbox caller) flow;
      clock :> Eio.Time.Mono.ty r;
      over;
      set_over;
      hook = Switch.null_hook;
    }
  in
  t.hook <- Switch.on_release_cancellable sw (fun () -> finish t Stopped);
  Fiber.fork_daemon ~sw (fun () ->
      (try run t
       with e ->
         (* Fibers that are not cancelled with [sw] may wait for calls, and [sw] may wait for these
            fibers. *)
         Eio.Cancel.protect (fun () -> finish t Stopped);
         raise e);
      `Stop_daemon);
  t

(* {1 Calling} *)

(* A call, without the types of its messages. *)
type 'a call = {
  name : string;
  shape : Method.shape;
  write : Output.t -> unit;  (** the request *)
  decode : late:bool -> Caller.answer -> ('a, Error.t) result;
  during : Stream.t option -> unit;  (** runs before the wait for the answer *)
}

let await_turn t place =
  if not (Waiting.try_turn t.waiting place) then begin
    let turn, set_turn = Promise.create () in
    Waiting.enter t.waiting place (Promise.resolve set_turn);
    Promise.await turn
  end

let rec attempt t place deadline call =
  await_turn t place;
  let answer, set_answer = Promise.create () in
  let now () = Transport.now t.clock in
  let timeout_us = Deadline.left_us ~now deadline in
  let on_answer a =
    Promise.resolve set_answer (call.decode ~late:(Deadline.is_over ~now deadline) a)
  in
  match
    Waiting.send t.waiting place ~shape:call.shape ~timeout_us call.name call.write on_answer
  with
  | Not_yet -> attempt t place deadline call
  | Over ending -> Error (Error.Closed ending)
  | exception Output.Too_long -> Error (Error.Too_large (Caller.max_request t.caller call.shape))
  | Sent ->
      Transport.wake t.transport;
      call.during (Waiting.stream place);
      Promise.await answer

let attempt t deadline call =
  let place = Waiting.place t.waiting in
  try attempt t place deadline call
  with e ->
    Waiting.give_up t.waiting place;
    Transport.wake t.transport;
    raise e

let in_time t timeout_ns call =
  match timeout_ns with
  | None -> attempt t Weir_base.Time.never call
  | Some ns ->
      let deadline = Transport.after t.clock ns in
      Fiber.first
        (fun () -> attempt t deadline call)
        (fun () ->
          Transport.sleep_until t.clock deadline;
          Error Error.Timed_out)

let call t ?timeout_ns (m : _ Method.t) request =
  in_time t timeout_ns
    {
      name = m.name;
      shape = Single;
      write = (fun out -> m.request.encode out request);
      decode = (fun ~late a -> Caller.decode m ~late a);
      during = ignore;
    }

(* {1 Streams} *)

(* Ends a call from within [during]. *)
exception Fault of Stream.t * Error.t

let receive t (m : _ Method.t) stream () =
  match Transport.take t.transport stream with
  | End | Given_up | Nothing_yet -> None
  | Message message -> (
      match Weir_message.Codec.read m.response (Weir_flow.Slice.of_string message) with
      | Ok v -> Some v
      | Error why -> raise (Fault (stream, Undecodable why)))

let send t (m : _ Method.t) stream v =
  match Transport.put t.transport stream (Weir_message.Codec.to_string m.request v) with
  | Sent | Wait -> true
  | Over -> false
  | Too_long n -> raise (Fault (stream, Too_large n))

let finish_stream t stream =
  Stream.finish stream;
  Transport.wake t.transport

let streamed t timeout_ns call f =
  let result = ref None and mine = ref None in
  let during stream =
    mine := stream;
    let stream = Option.get stream in
    result := Some (f stream);
    Stream.discard stream;
    finish_stream t stream
  in
  match in_time t timeout_ns { call with during } with
  | Ok answer -> Ok (answer, Option.get !result)
  | Error _ as e -> e
  | exception Fault (stream, e) when Option.fold ~none:false ~some:(( == ) stream) !mine -> Error e

(* The answer after a stream of responses is empty. *)
let call_of (m : ('request, 'response) Method.t) shape write (answer : 'a Weir_message.Codec.t) =
  let m = Method.make m.name m.request answer in
  {
    name = m.name;
    shape;
    write;
    decode = (fun ~late a -> Caller.decode m ~late a);
    during = ignore;
  }

let download t ?timeout_ns (Method.Download m) request f =
  let write out = m.request.encode out request in
  let rec each stream =
    match receive t m stream () with
    | None -> ()
    | Some v ->
        f v;
        each stream
  in
  Result.map ignore (streamed t timeout_ns (call_of m Down write Weir_message.Codec.unit) each)

let upload t ?timeout_ns (Method.Upload m) f =
  let during stream = f (send t m stream) in
  Result.map fst (streamed t timeout_ns (call_of m Up ignore m.response) during)

type ('request, 'response) streams = {
  send : 'request -> bool;
  finish : unit -> unit;
  receive : unit -> 'response option;
}

let exchange t ?timeout_ns (Method.Exchange m) f =
  let during stream =
    let finish () = finish_stream t stream in
    f { send = send t m stream; finish; receive = receive t m stream }
  in
  Result.map snd (streamed t timeout_ns (call_of m Both ignore Weir_message.Codec.unit) during)

(* {1 Ending} *)

let await_end t = Promise.await t.over

let close t =
  Caller.stop t.caller;
  settle t;
  ignore (await_end t)

let state t =
  match Caller.state t.caller with Over ending -> Some ending | Greeting | Open _ -> None
