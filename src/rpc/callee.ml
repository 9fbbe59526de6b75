module Output = Weir_message.Output
module Slice = Weir_flow.Slice

type t = {
  limits : Limits.t;
  outbox : Outbox.t;
  sizes : (int, int) Hashtbl.t;  (** of the requests of calls that are not answered *)
  mutable held : int;  (** their sum *)
  mutable last : int;
  mutable max_reply : int;  (** 0 until the client's hello came *)
  mutable draining : bool;
  mutable left : bool;  (** the client said goodbye *)
  mutable active : Weir_base.Time.t;
}

type event =
  | Call of { id : int; timeout_us : int; name : string; request : Slice.t }
  | Cancel of int
  | Nothing

let create limits =
  Limits.check limits;
  let outbox = Outbox.create () in
  Outbox.add outbox ~limit:Packet.small (fun out -> Packet.hello out limits);
  {
    limits;
    outbox;
    sizes = Hashtbl.create 16;
    held = 0;
    last = 0;
    max_reply = 0;
    draining = false;
    left = false;
    active = 0;
  }

let outbox t = t.outbox
let running t = Hashtbl.length t.sizes
let may_read t = t.held <= t.limits.held && Outbox.length t.outbox <= t.limits.unsent

let send_failure t id f =
  Outbox.add t.outbox ~limit:Packet.small (fun out -> Packet.failure out id f)

let call t id timeout_us name (frame : Slice.t) at =
  if t.left then Error "a call after goodbye"
  else if id <= t.last then Error "a call's number is not new"
  else begin
    t.last <- id;
    if t.draining then begin
      send_failure t id (Failure.make Shutting_down "");
      Ok Nothing
    end
    else if running t >= t.limits.calls then Error "too many calls at once"
    else begin
      let len = frame.off + frame.len - at in
      Hashtbl.replace t.sizes id len;
      t.held <- t.held + len;
      (* Of its own, as one kept here would keep a large frame's room. *)
      Ok (Call { id; timeout_us; name; request = { frame with off = at; len } })
    end
  end

let input t (frame : Slice.t) =
  match Packet.decode frame with
  | Error _ as e -> e
  | Ok (Hello _) when t.max_reply > 0 -> Error "a second hello"
  | Ok (Hello { message; _ }) when message < Packet.small -> Error "a hello that allows nothing"
  | Ok (Hello { message; _ }) ->
      t.max_reply <- Int.min message 0x7fff_ffff;
      Ok Nothing
  | Ok _ when t.max_reply = 0 -> Error "no hello"
  | Ok (Call { id; timeout_us; name; at }) -> call t id timeout_us name frame at
  | Ok (Cancel id) when id > t.last -> Error "a cancelled call that there never was"
  | Ok (Cancel id) -> Ok (if Hashtbl.mem t.sizes id then Cancel id else Nothing)
  | Ok Goodbye ->
      t.left <- true;
      Ok Nothing
  | Ok (Reply _ | Failure _) -> Error "a packet that only servers send"

let answered t id =
  match Hashtbl.find_opt t.sizes id with
  | None -> ()
  | Some len ->
      Hashtbl.remove t.sizes id;
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

let abandoned t = running t > 0 && not t.left
let touch t ~now = t.active <- now

let until_idle t ~now ~idle_ns =
  if running t > 0 then t.active <- now;
  if idle_ns = Weir_base.Time.never then idle_ns else Int.max 0 (idle_ns - (now - t.active))
