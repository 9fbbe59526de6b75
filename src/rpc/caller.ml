module Slice = Weir_flow.Slice

type state = Greeting | Open of int | Over of Error.ending
type answer = (Slice.t, Error.t) result

type t = {
  limits : Limits.t;
  outbox : Outbox.t;
  waiting : (int, answer -> unit) Hashtbl.t;
  streams : (int, Stream.t) Hashtbl.t;  (** of the unanswered calls with streams *)
  mutable greeted : bool;
  mutable state : state;
  mutable next : int;
  mutable max_request : int;
  mutable window : int;  (** the server's *)
  mutable left : bool;  (** goodbye was sent *)
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
    streams = Hashtbl.create 1;
    greeted = false;
    state = Greeting;
    next = 1;
    max_request = 0;
    window = 0;
    left = false;
  }

let outbox t = t.outbox
let state t = t.state
let unanswered t = Hashtbl.length t.waiting

let max_request t : Method.shape -> int = function
  | Single -> t.max_request
  (* The request must fit into the window of a stream. *)
  | Down | Up | Both -> Int.min t.max_request (Packet.small + t.window)

let add_stream t id shape =
  let sends = shape <> Method.Down and receives = shape <> Method.Up in
  Hashtbl.replace t.streams id
    (Stream.create ~outbox:t.outbox ~id ~window:(Limits.stream_window t.limits)
       ~peer_window:t.window ~peer_message:t.max_request ~sends ~receives)

let stream t id = Hashtbl.find_opt t.streams id

let call t ?(shape = Method.Single) ~timeout_us name write on_answer =
  (match t.state with
  | Open n when unanswered t < n && timeout_us >= 0 -> ()
  | _ -> invalid_arg "Caller.call");
  (* Called once more if [write] waited: others may have called. *)
  let head out =
    match t.state with
    | Over ending -> raise_notrace (Gone ending)
    | Greeting | Open _ -> Packet.call out ~id:t.next ~timeout_us shape name
  in
  Outbox.add ~head t.outbox ~limit:(max_request t shape) write;
  let id = t.next in
  t.next <- id + 1;
  Hashtbl.replace t.waiting id on_answer;
  if shape <> Single then add_stream t id shape;
  id

let end_stream t id =
  Option.iter Stream.close (Hashtbl.find_opt t.streams id);
  Hashtbl.remove t.streams id

let cancel t id =
  Option.iter Stream.drop (Hashtbl.find_opt t.streams id);
  if Hashtbl.mem t.waiting id then
    Outbox.add t.outbox ~limit:Packet.small (fun out -> Packet.cancel out id)

let answer t id result =
  match Hashtbl.find_opt t.waiting id with
  | None -> Error "an answer to an unknown call"
  | Some on_answer ->
      Hashtbl.remove t.waiting id;
      end_stream t id;
      on_answer result;
      Ok ()

let hello t message calls window =
  if t.greeted then Error "a second hello"
  else if message < Packet.small || calls < 1 then Error "a hello with too small limits"
  else begin
    t.greeted <- true;
    t.max_request <- Int.min message 0x7fff_ffff;
    t.window <- Int.min window Packet.max_window;
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

let of_stream t id f =
  match Hashtbl.find_opt t.streams id with
  | None -> Error "a packet for an unknown stream"
  | Some s -> f s

let input t (frame : Slice.t) =
  match Packet.decode frame with
  | Error _ as e -> e
  | Ok (Hello { message; calls; window }) -> hello t message calls window
  | Ok _ when not t.greeted -> Error "no hello"
  | Ok (Reply { id; at }) ->
      answer t id (Ok { frame with off = at; len = frame.off + frame.len - at })
  | Ok (Failure { id; failure }) -> answer t id (Error (Error.Remote failure))
  | Ok Goodbye ->
      leave t Draining;
      Ok ()
  | Ok (Item { id; at }) ->
      of_stream t id (fun s ->
          Stream.item s { frame with off = at; len = frame.off + frame.len - at })
  | Ok (Credit { id; bytes }) -> of_stream t id (fun s -> Stream.credit s bytes)
  | Ok (Call _ | Cancel _ | End _) -> Error "a packet that only clients send"

let close t ending =
  Outbox.close t.outbox;
  (match t.state with Over _ -> () | Greeting | Open _ -> t.state <- Over ending);
  let waiting = Hashtbl.fold (fun _ on_answer l -> on_answer :: l) t.waiting [] in
  Hashtbl.reset t.waiting;
  Hashtbl.iter (fun _ s -> Stream.close s) t.streams;
  Hashtbl.reset t.streams;
  List.iter (fun on_answer -> on_answer (Error (Error.Closed ending))) waiting

let decode (m : _ Method.t) ~late = function
  | Error (Error.Remote { code = Timed_out; _ }) when late -> Error Error.Timed_out
  | Error _ as e -> e
  | Ok view ->
      Result.map_error (fun why -> Error.Undecodable why) (Weir_message.Codec.read m.response view)
