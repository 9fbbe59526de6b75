open Weir_rpc
module Flow_lwt = Weir_flow_lwt.Flow_lwt
module Flow = Weir_flow.Flow
module Incoming = Weir_message.Incoming

let ( let* ) = Lwt.bind

type t = {
  flow : Flow_lwt.flow;
  incoming : Incoming.t;
  outbox : Outbox.t;
  turns : Turns.t;  (** the lock for adding to the outbox *)
  received : Cstruct.t;
  sending : Cstruct.t;
  work : unit Lwt_condition.t;  (** the writer has something to do *)
  room : unit Lwt_condition.t;  (** the outbox was taken for sending *)
  on_room : unit -> unit;
  mutable finishing : bool;
}

exception Over of Error.ending

let chunk = 16_384

let create ?(on_room = ignore) ~(limits : Limits.t) ?room outbox flow =
  Flow_lwt.send_at_once flow;
  {
    flow :> Flow_lwt.flow;
    incoming = Incoming.create ~limit:limits.message Length32;
    outbox;
    turns = (match room with Some t -> t | None -> Outbox.room outbox ~unsent:limits.unsent);
    received = Cstruct.create_unsafe chunk;
    sending = Cstruct.create_unsafe chunk;
    work = Lwt_condition.create ();
    room = Lwt_condition.create ();
    on_room;
    finishing = false;
  }

(* A flow may fail with other exceptions. Only this module has the promises, so a cancellation comes
   from here. *)
let guarded f =
  Lwt.catch f (function
    | Over _ as e -> Lwt.fail e
    | Flow.Error _ as e -> Lwt.fail (Over (Lost e))
    | e when Flow.is_cancellation e -> Lwt.fail e
    | e -> Lwt.fail (Over (Lost e)))

let get p =
  guarded (fun () ->
      let* r = p () in
      match r with Ok v -> Lwt.return v | Error (`Flow e) -> Lwt.fail (Flow.Error e))

let ending f = Lwt.catch f (function Over e -> Lwt.return e | e -> Lwt.fail e)

(* {1 Bytes in} *)

let store t n =
  let i = t.incoming in
  let rec go at =
    if at < n then begin
      let len = Int.min (Incoming.space i) (n - at) in
      Cstruct.blit_to_bytes t.received at (Incoming.bytes i) (Incoming.at i) len;
      Incoming.received i len;
      go (at + len)
    end
  in
  go 0

let rec read t frame =
  match Incoming.next t.incoming with
  | Frame content -> (
      let* result = frame content in
      match result with Ok () -> read t frame | Error why -> Lwt.fail (Over (Violation why)))
  | Stop End -> Lwt.return_unit
  | Stop e -> Lwt.fail (Over (Violation (Weir_message.Error.to_string e)))
  | More ->
      let* came = get (fun () -> Flow_lwt.read_into t.flow t.received) in
      (match came with `Input n -> store t n | `Eof -> Incoming.received t.incoming 0);
      read t frame

(* {1 Bytes out} *)

let end_stream t =
  match Flow_lwt.cast t.flow Flow_lwt.Half_close with
  | None -> Lwt.return_false
  | Some f ->
      let* () = guarded (fun () -> f#shutdown_send) in
      Lwt.return_true

let rec send t bytes ~off ~len =
  if len = 0 then Lwt.return_unit
  else begin
    let n = Int.min len chunk in
    Cstruct.blit_from_bytes bytes off t.sending 0 n;
    let* () = get (fun () -> Flow_lwt.write t.flow (Cstruct.sub t.sending 0 n)) in
    send t bytes ~off:(off + n) ~len:(len - n)
  end

let progress t =
  Lwt_condition.broadcast t.room ();
  Turns.advance t.turns

let rec write t =
  if Outbox.length t.outbox > 0 then begin
    let { Weir_flow.Slice.bytes; off; len } = Outbox.take t.outbox in
    progress t;
    t.on_room ();
    let* () = send t bytes ~off ~len in
    Outbox.sent t.outbox;
    write t
  end
  else if t.finishing then end_stream t
  else
    let* () = Lwt_condition.wait t.work in
    write t

let wake t = Lwt_condition.broadcast t.work ()

let finish t =
  t.finishing <- true;
  wake t

let rec await t p =
  if p () then Lwt.return_unit
  else
    let* () = Lwt_condition.wait t.room in
    await t p

let with_room t f =
  if Turns.is_free t.turns then Lwt.return (f ())
  else begin
    let turn, set_turn = Lwt.task () in
    let place = Turns.join t.turns (Lwt.wakeup_later set_turn) in
    Lwt.finalize
      (fun () -> Lwt.map f turn)
      (fun () ->
        Turns.leave t.turns place;
        Lwt.return_unit)
  end

(* {1 Streams} *)

let rec take t stream =
  let* () = await t (fun () -> Stream.ready stream) in
  match Stream.next stream with
  (* Another thread took the message. *)
  | Nothing_yet -> take t stream
  | (Message _ | End | Given_up) as next ->
      wake t;
      Lwt.return next

let rec put t stream message =
  let can_send () = Stream.can_send stream (String.length message) in
  let* sent =
    match can_send () with
    | Sent -> with_room t (fun () -> Stream.send stream message)
    | cannot -> Lwt.return cannot
  in
  match sent with
  | Wait ->
      let* () = await t (fun () -> can_send () <> Wait) in
      put t stream message
  | Sent | Over | Too_long _ ->
      wake t;
      Lwt.return sent

let close t =
  Lwt.catch
    (fun () ->
      match Flow_lwt.cast t.flow Flow_lwt.Closable with
      | Some f -> f#close
      | None -> Lwt.map ignore (end_stream t))
    (fun _ -> Lwt.return_unit)
