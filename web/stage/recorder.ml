open Weir_base
open Weir_wire

type kind = Data | Ack | Again | Control | Other

type leg = {
  from : string;
  to_ : string;
  enter : Time.t;
  leave : Time.t;
  arrive : Time.t option;
  fate : string;
}

type packet = {
  number : int;
  at : Time.t;
  kind : kind;
  flags : string;
  marked : bool;
  frame : string;
  legs : leg list;
}

(* A leg on its way: the trunk's name is replaced by the host's behind it. *)
type open_leg = {
  start : string;
  entered : Time.t;
  trunk : bool;
  mutable goal : string;
  mutable came : Time.t option;
  mutable what : string;
}

type journey = {
  sent_at : Time.t;
  bytes : string;
  of_kind : kind;
  mutable ce : bool;
  mutable way : open_leg list;  (** the last first *)
}

type t = {
  most : int;
  delay : from:string -> Time.t;
  mutable journeys : journey list;
  mutable count : int;
  on_link : (string, (journey * open_leg) Queue.t) Hashtbl.t;
  at_router : (string, journey Queue.t) Hashtbl.t;
  highest : (string * int, int) Hashtbl.t;  (** of a sender: where its data have come to *)
}

let create ~most ~delay =
  {
    most;
    delay;
    journeys = [];
    count = 0;
    on_link = Hashtbl.create 64;
    at_router = Hashtbl.create 64;
    highest = Hashtbl.create 8;
  }

let push table key v =
  match Hashtbl.find_opt table key with
  | Some queue -> Queue.push v queue
  | None ->
      let queue = Queue.create () in
      Queue.push v queue;
      Hashtbl.replace table key queue

let pop table key =
  match Hashtbl.find_opt table key with
  | None -> None
  | Some queue ->
      let first = Queue.take_opt queue in
      if Queue.is_empty queue then Hashtbl.remove table key;
      first

(* Enough of a frame to tell it from others: the headers, and how long it is. *)
let frame_key frame =
  Printf.sprintf "%d %s" (String.length frame)
    (String.sub frame 0 (Int.min 90 (String.length frame)))

(* What a router leaves as it was: all of an IPv4 packet but its ECN field, TTL and checksum. *)
let packet_key frame =
  if String.length frame < 54 then frame_key frame
  else
    String.concat ""
      [
        string_of_int (String.length frame);
        String.sub frame 16 6;
        String.sub frame 26 (Int.min 64 (String.length frame - 26));
      ]

let layers frame = Layers.of_frame (Bytes.unsafe_of_string frame) ~off:0 ~len:(String.length frame)

(* Data that end where no data of that sender ended before are new. *)
let kind_of t frame =
  let l = layers frame in
  match l.transport with
  | Tcp h when h.syn || h.fin || h.rst -> Control
  | Tcp h when l.data_length > 0 ->
      let sender = (String.sub frame 26 4, h.src_port) in
      let upto = (h.seq + l.data_length) land 0xffff_ffff in
      let before = Hashtbl.find_opt t.highest sender in
      let is_new = match before with None -> true | Some b -> Weir_core.Seq.diff upto b > 0 in
      if is_new then Hashtbl.replace t.highest sender upto;
      if is_new then Data else Again
  | Tcp _ -> Ack
  | _ -> Other

let flags_of frame =
  match (layers frame).transport with
  | Tcp h ->
      [
        (h.syn, "SYN");
        (h.fin, "FIN");
        (h.rst, "RST");
        (h.ack >= 0, "ACK");
        (h.ece, "ECE");
        (h.cwr, "CWR");
      ]
      |> List.filter_map (fun (set, name) -> if set then Some name else None)
      |> String.concat " "
  | _ -> ""

let congested frame =
  String.length frame > 16
  && String.get_uint16_be frame 12 = 0x800
  && Char.code frame.[15] land 3 = 3

let fate : Weir_sim.fate -> string = function
  | Entered Sent -> ""
  | Entered Lost -> "lost"
  | Entered No_room -> "no room"
  | Too_long -> "too long"
  | Entered Cut -> "cut"
  | Entered Twice -> "twice"
  | Entered Corrupted -> "corrupted"
  | Entered Truncated -> "truncated"
  | Entered Late -> "out of order"
  | Forbidden -> "partitioned"

let is_end = function
  | Weir_sim.Too_long | Forbidden | Entered (Lost | No_room | Cut) -> true
  | Entered (Sent | Twice | Corrupted | Truncated | Late) -> false

let begin_leg t journey (s : Weir_sim.sight) outcome =
  let leg =
    {
      start = s.from;
      entered = s.at;
      trunk = s.to_ = "core-site";
      goal = s.to_;
      came = None;
      what = fate outcome;
    }
  in
  journey.way <- leg :: journey.way;
  if congested s.frame then journey.ce <- true;
  if not (is_end outcome) then push t.on_link (frame_key s.frame) (journey, leg)

let new_journey t (s : Weir_sim.sight) =
  let journey =
    { sent_at = s.at; bytes = s.frame; of_kind = kind_of t s.frame; ce = false; way = [] }
  in
  t.count <- t.count + 1;
  if t.count <= t.most then t.journeys <- journey :: t.journeys;
  journey

(* A broadcast goes to several ports: it is one packet. *)
let same_broadcast t (s : Weir_sim.sight) =
  match t.journeys with
  | j :: _ when j.sent_at = s.at && String.equal j.bytes s.frame -> Some j
  | _ -> None

(* Behind a trunk it goes on where it was. *)
let goes_on t (s : Weir_sim.sight) =
  match Hashtbl.find_opt t.on_link (frame_key s.frame) with
  | Some queue -> (
      match Queue.peek_opt queue with
      | Some (_, leg) when leg.trunk && leg.goal = "core-site" && leg.entered < s.at ->
          pop t.on_link (frame_key s.frame)
      | _ -> None)
  | None -> None

let passing t (s : Weir_sim.sight) outcome =
  match goes_on t s with
  | Some (journey, leg) ->
      leg.goal <- s.to_;
      if is_end outcome then leg.what <- fate outcome
      else push t.on_link (frame_key s.frame) (journey, leg)
  | None -> (
      match same_broadcast t s with
      | Some journey -> begin_leg t journey s outcome
      | None -> (
          match pop t.at_router (packet_key s.frame) with
          | Some journey -> begin_leg t journey s outcome
          | None -> begin_leg t (new_journey t s) s outcome))

let arrived t (s : Weir_sim.sight) =
  match pop t.on_link (frame_key s.frame) with
  | None -> ()
  | Some (journey, leg) ->
      leg.goal <- s.to_;
      leg.came <- Some s.at;
      push t.at_router (packet_key s.frame) journey

let see t (s : Weir_sim.sight) =
  if t.count <= t.most then
    match s.event with Passing outcome -> passing t s outcome | Arrived -> arrived t s

let closed t (l : open_leg) =
  let leave =
    match l.came with
    | Some came when l.trunk -> Int.max l.entered (came - t.delay ~from:l.start)
    | _ -> l.entered
  in
  { from = l.start; to_ = l.goal; enter = l.entered; leave; arrive = l.came; fate = l.what }

let packets t =
  let packet i j =
    {
      number = i + 1;
      at = j.sent_at;
      kind = j.of_kind;
      flags = flags_of j.bytes;
      marked = j.ce;
      frame = j.bytes;
      legs = List.rev_map (closed t) j.way;
    }
  in
  Array.mapi packet (Array.of_list (List.rev t.journeys))
