module Output = Weir_message.Output
module Slice = Weir_flow.Slice

type t = {
  limits : Limits.t;
  outbox : Outbox.t;
  sizes : (int, int) Hashtbl.t;  (** request lengths of unanswered calls *)
  streams : (int, Stream.t) Hashtbl.t;  (** of the unanswered calls with streams *)
  mutable held : int;  (** the sum of [sizes] *)
  mutable unsent : int;  (** answers that wait for space in the outbox *)
  mutable last : int;
  mutable max_reply : int;  (** 0 until the client's hello *)
  mutable window : int;  (** the client's *)
  mutable draining : bool;
  mutable left : bool;  (** the client said goodbye *)
  mutable active : Weir_base.Time.t;
}

type event =
  | Call of { id : int; timeout_us : int; name : string; shape : Method.shape; request : Slice.t }
  | Cancel of int
  | Stream
  | Nothing

let create limits =
  Limits.check limits;
  let outbox = Outbox.create () in
  Outbox.add outbox ~limit:Packet.small (fun out -> Packet.hello out limits);
  {
    limits;
    outbox;
    sizes = Hashtbl.create 16;
    streams = Hashtbl.create 1;
    held = 0;
    unsent = 0;
    last = 0;
    max_reply = 0;
    window = 0;
    draining = false;
    left = false;
    active = 0;
  }

let outbox t = t.outbox
let running t = Hashtbl.length t.sizes
let may_read t = t.held <= t.limits.held && Outbox.length t.outbox <= t.limits.unsent

let send_failure t id f =
  Outbox.add t.outbox ~limit:Packet.small (fun out -> Packet.failure out id f)

let add_stream t id shape =
  let sends = shape <> Method.Up and receives = shape <> Method.Down in
  Hashtbl.replace t.streams id
    (Stream.create ~outbox:t.outbox ~id ~window:(Limits.stream_window t.limits)
       ~peer_window:t.window ~peer_message:t.max_reply ~sends ~receives)

let stream t id = Hashtbl.find_opt t.streams id

(* If requests of calls with streams counted, a server could stop reading and never see the credit
   that these streams wait for. They are bounded by the window instead. *)
let held (shape : Method.shape) len = match shape with Single -> len | Down | Up | Both -> 0

let call t id timeout_us name (shape : Method.shape) (frame : Slice.t) at =
  if t.left then Error "a call after goodbye"
  else if id <= t.last then Error "a call's id is not greater than the last one"
  else begin
    t.last <- id;
    if t.draining then begin
      send_failure t id (Failure.make Shutting_down "");
      Ok Nothing
    end
    else if running t >= t.limits.calls then Error "too many calls at once"
    else if shape <> Single && frame.len > Limits.stream_window t.limits + Packet.small then
      Error "a request longer than a stream's window"
    else begin
      let len = frame.off + frame.len - at in
      let size = held shape len in
      Hashtbl.replace t.sizes id size;
      t.held <- t.held + size;
      if shape <> Single then add_stream t id shape;
      (* A new view, because a kept one would keep a large frame alive. *)
      Ok (Call { id; timeout_us; name; shape; request = { frame with off = at; len } })
    end
  end

(* The client may not have seen the answer yet. *)
let of_stream t id f =
  match Hashtbl.find_opt t.streams id with
  | Some s -> Result.map (fun () -> Stream) (f s)
  | None ->
      if id < 1 || id > t.last || Hashtbl.mem t.sizes id then Error "a packet for an unknown stream"
      else Ok Nothing

let give_up t id = Option.iter Stream.drop (Hashtbl.find_opt t.streams id)

let close t =
  Outbox.close t.outbox;
  Hashtbl.iter (fun _ s -> Stream.drop s) t.streams

let input t (frame : Slice.t) =
  match Packet.decode frame with
  | Error _ as e -> e
  | Ok (Hello _) when t.max_reply > 0 -> Error "a second hello"
  | Ok (Hello { message; _ }) when message < Packet.small -> Error "a hello with too small limits"
  | Ok (Hello { message; window; _ }) ->
      t.max_reply <- Int.min message 0x7fff_ffff;
      t.window <- Int.min window Packet.max_window;
      Ok Nothing
  | Ok _ when t.max_reply = 0 -> Error "no hello"
  | Ok (Call { id; timeout_us; name; shape; at }) -> call t id timeout_us name shape frame at
  | Ok (Item { id; at }) ->
      of_stream t id (fun s ->
          Stream.item s { frame with off = at; len = frame.off + frame.len - at })
  | Ok (End id) -> of_stream t id Stream.ended
  | Ok (Credit { id; bytes }) -> of_stream t id (fun s -> Stream.credit s bytes)
  | Ok (Cancel id) when id > t.last -> Error "a cancel packet for an unknown call"
  | Ok (Cancel id) ->
      give_up t id;
      Ok (if Hashtbl.mem t.sizes id then Cancel id else Nothing)
  | Ok Goodbye ->
      t.left <- true;
      Ok Nothing
  | Ok (Reply _ | Failure _) -> Error "a packet that only servers send"

let answered t id =
  match Hashtbl.find_opt t.sizes id with
  | None -> ()
  | Some len ->
      Hashtbl.remove t.sizes id;
      give_up t id;
      Hashtbl.remove t.streams id;
      t.held <- t.held - len

let fail t id failure =
  if Hashtbl.mem t.sizes id then begin
    send_failure t id failure;
    answered t id
  end

exception Answered

let reply t id write =
  if not (Hashtbl.mem t.sizes id) then invalid_arg "Callee.reply: no such call";
  (* Called once more if [write] waited: the call may have been failed. *)
  let head out = if Hashtbl.mem t.sizes id then Packet.reply out id else raise_notrace Answered in
  match Outbox.add ~head t.outbox ~limit:t.max_reply write with
  | () -> answered t id
  | exception Answered -> ()
  | exception Output.Too_long ->
      fail t id (Failure.make Too_large (Printf.sprintf "the limit is %d bytes" t.max_reply))

let drain t =
  if not t.draining then begin
    t.draining <- true;
    Outbox.add t.outbox ~limit:Packet.small Packet.goodbye
  end

(* {1 The end} *)

let abandoned t =
  let waits () = Hashtbl.fold (fun _ s waits -> waits || Stream.needs_peer s) t.streams false in
  running t > 0 && ((not t.left) || waits ())

let touch t ~now = t.active <- now
let hold t = t.unsent <- t.unsent + 1
let release t = t.unsent <- t.unsent - 1

let until_idle t ~now ~idle_ns =
  if running t > t.unsent then t.active <- now;
  if idle_ns = Weir_base.Time.never then idle_ns else Int.max 0 (idle_ns - (now - t.active))
