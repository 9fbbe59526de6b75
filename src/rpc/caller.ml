module Slice = Weir_flow.Slice

type state = Greeting | Open of int | Over of Error.ending
type answer = (Slice.t, Error.t) result

type t = {
  limits : Limits.t;
  outbox : Outbox.t;
  waiting : (int, answer -> unit) Hashtbl.t;
  mutable greeted : bool;
  mutable state : state;
  mutable next : int;
  mutable max_request : int;
  mutable left : bool;  (** goodbye was said *)
}

exception Gone of Error.ending

let create limits =
  Limits.check limits;
  let outbox = Outbox.create () in
  Outbox.add outbox ~limit:Packet.small (fun out -> Packet.hello out limits);
  {
    limits;
    outbox;
    waiting = Hashtbl.create 16;
    greeted = false;
    state = Greeting;
    next = 1;
    max_request = 0;
    left = false;
  }

let outbox t = t.outbox
let state t = t.state
let unanswered t = Hashtbl.length t.waiting
let max_request t = t.max_request

let call t ~timeout_us name write on_answer =
  (match t.state with
  | Open n when unanswered t < n && timeout_us >= 0 -> ()
  | _ -> invalid_arg "Caller.call");
  (* Called once more if [write] waited: others may have called. *)
  let head out =
    match t.state with
    | Over ending -> raise_notrace (Gone ending)
    | Greeting | Open _ -> Packet.call out ~id:t.next ~timeout_us name
  in
  Outbox.add ~head t.outbox ~limit:t.max_request write;
  let id = t.next in
  t.next <- id + 1;
  Hashtbl.replace t.waiting id on_answer;
  id

let cancel t id =
  if Hashtbl.mem t.waiting id then
    Outbox.add t.outbox ~limit:Packet.small (fun out -> Packet.cancel out id)

let answer t id result =
  match Hashtbl.find_opt t.waiting id with
  | None -> Error "an answer to no call"
  | Some on_answer ->
      Hashtbl.remove t.waiting id;
      on_answer result;
      Ok ()

let hello t message calls =
  if t.greeted then Error "a second hello"
  else if message < Packet.small || calls < 1 then Error "a hello that allows nothing"
  else begin
    t.greeted <- true;
    t.max_request <- Int.min message 0x7fff_ffff;
    if t.state = Greeting then t.state <- Open (Int.min calls t.limits.calls);
    Ok ()
  end

let leave t ending =
  (match t.state with Greeting | Open _ -> t.state <- Over ending | Over _ -> ());
  if not t.left then begin
    t.left <- true;
    Outbox.add t.outbox ~limit:Packet.small Packet.goodbye
  end

let stop t = match t.state with Greeting | Open _ -> leave t Stopped | Over _ -> ()
let may_end t = match t.state with Over _ -> unanswered t = 0 | Greeting | Open _ -> false

let input t (frame : Slice.t) =
  match Packet.decode frame with
  | Error _ as e -> e
  | Ok (Hello { message; calls }) -> hello t message calls
  | Ok _ when not t.greeted -> Error "no hello"
  | Ok (Reply { id; at }) ->
      answer t id (Ok { frame with off = at; len = frame.off + frame.len - at })
  | Ok (Failure { id; failure }) -> answer t id (Error (Error.Remote failure))
  | Ok Goodbye ->
      leave t Draining;
      Ok ()
  | Ok (Call _ | Cancel _) -> Error "a packet that only clients send"

let close t ending =
  (match t.state with Over _ -> () | Greeting | Open _ -> t.state <- Over ending);
  let waiting = Hashtbl.fold (fun _ on_answer l -> on_answer :: l) t.waiting [] in
  Hashtbl.reset t.waiting;
  List.iter (fun on_answer -> on_answer (Error (Error.Closed ending))) waiting

let decode (m : _ Method.t) ~late = function
  | Error (Error.Remote { code = Timed_out; _ }) when late -> Error Error.Timed_out
  | Error _ as e -> e
  | Ok view ->
      Result.map_error (fun why -> Error.Undecodable why) (Weir_message.Codec.read m.response view)
