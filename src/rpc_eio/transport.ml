open Eio.Std
open Weir_rpc
module Flow = Weir_flow.Flow
module Time = Weir_base.Time
module Incoming = Weir_message.Incoming

type t = {
  flow : Flow.flow;
  incoming : Incoming.t;
  outbox : Outbox.t;
  turns : Turns.t;  (** the lock for adding to the outbox *)
  work : Eio.Condition.t;  (** the writer has something to do *)
  room : Eio.Condition.t;  (** the outbox was taken for sending *)
  on_room : unit -> unit;
  mutable finishing : bool;
}

let () = Flow.register_cancellation (function Eio.Cancel.Cancelled _ -> true | _ -> false)

exception Over of Error.ending

let create ?(on_room = ignore) ~(limits : Limits.t) ?room outbox flow =
  Flow.send_at_once flow;
  {
    flow :> Flow.flow;
    incoming = Incoming.create ~limit:limits.message Length32;
    outbox;
    turns = (match room with Some t -> t | None -> Outbox.room outbox ~unsent:limits.unsent);
    work = Eio.Condition.create ();
    room = Eio.Condition.create ();
    on_room;
    finishing = false;
  }

(* A flow may raise other exceptions than [Flow.Error]. *)
let guarded f =
  try f () with
  | (Out_of_memory | Sys.Break) as e -> raise e
  | e ->
      (* Raises if this fiber was cancelled; other cancellations count as failures of the flow. *)
      Eio.Fiber.check ();
      raise (Over (Lost e))

let ending f = try f () with Over e -> e

let rec read t frame =
  match Incoming.next t.incoming with
  | Frame content -> (
      match frame content with Ok () -> read t frame | Error why -> raise (Over (Violation why)))
  | Stop End -> ()
  | Stop e -> raise (Over (Violation (Weir_message.Error.to_string e)))
  | More ->
      let len = Incoming.space t.incoming in
      Incoming.received t.incoming
        (guarded (fun () ->
             Flow.read_into t.flow (Incoming.bytes t.incoming) ~off:(Incoming.at t.incoming) ~len));
      read t frame

let end_stream t =
  match Flow.cast t.flow Flow.Half_close with
  | None -> false
  | Some f ->
      guarded (fun () -> f#shutdown_send);
      true

let progress t =
  Eio.Condition.broadcast t.room;
  Turns.advance t.turns

let rec write t =
  if Outbox.length t.outbox > 0 then begin
    let { Weir_flow.Slice.bytes; off; len } = Outbox.take t.outbox in
    progress t;
    t.on_room ();
    guarded (fun () -> Flow.write t.flow bytes ~off ~len);
    Outbox.sent t.outbox;
    write t
  end
  else if t.finishing then end_stream t
  else begin
    Eio.Condition.await_no_mutex t.work;
    write t
  end

let wake t = Eio.Condition.broadcast t.work

let finish t =
  t.finishing <- true;
  wake t

let await t p = Eio.Condition.loop_no_mutex t.room (fun () -> if p () then Some () else None)

let with_room t f =
  if Turns.is_free t.turns then f ()
  else begin
    let turn, set_turn = Promise.create () in
    let place = Turns.join t.turns (Promise.resolve set_turn) in
    Fun.protect
      ~finally:(fun () -> Turns.leave t.turns place)
      (fun () ->
        Promise.await turn;
        f ())
  end

(* {1 Streams} *)

let rec take t stream =
  await t (fun () -> Stream.ready stream);
  match Stream.next stream with
  (* Another fiber took the message. *)
  | Nothing_yet -> take t stream
  | (Message _ | End | Given_up) as next ->
      wake t;
      next

let rec put t stream message =
  let can_send () = Stream.can_send stream (String.length message) in
  let sent =
    match can_send () with
    | Sent -> with_room t (fun () -> Stream.send stream message)
    | cannot -> cannot
  in
  match sent with
  | Wait ->
      await t (fun () -> can_send () <> Wait);
      put t stream message
  | Sent | Over | Too_long _ ->
      wake t;
      sent

let close t =
  try
    match Flow.cast t.flow Flow.Closable with
    | None -> ignore (end_stream t)
    | Some f -> guarded (fun () -> f#close)
  with Over _ | Eio.Cancel.Cancelled _ -> ()

(* {1 Time} *)

let now clock = Int64.to_int (Mtime.to_uint64_ns (Eio.Time.Mono.now clock))

let sleep_until clock at =
  if at = Time.never then Eio.Fiber.await_cancel ()
  else Eio.Time.Mono.sleep_until clock (Mtime.of_uint64_ns (Int64.of_int at))

let after clock ns = Deadline.after ~now:(now clock) ns
