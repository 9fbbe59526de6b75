module Record = Weir_gateway.Record

(* One of the two ends. Sequence numbers have 32 bits. *)
type side = {
  mutable first : int;  (** of its data; -1 before its SYN *)
  mutable last : int;
  mutable fin : int option;  (** what acknowledges its FIN *)
}

type flow = {
  r : Record.t;
  key : Run_packet.key;
  here_is_client : bool;
  here : side;
  there : side;
  mutable last_ns : int;
  mutable again : int;
  mutable rtt_ns : int;
  mutable timed : (int * int) option;  (** what must be acknowledged, and when it was sent *)
}

type t = {
  began : Record.t -> unit;
  ended : Record.t -> unit;
  number : unit -> int;
  flows : (Run_packet.key, flow) Hashtbl.t;
  mutable swept_ns : int;
}

let make ~number ~began ~ended = { began; ended; number; flows = Hashtbl.create 16; swept_ns = 0 }
let most = 10_000
let seconds n = n * 1_000_000_000

let ahead a b =
  let d = (a - b) land 0xffff_ffff in
  if d >= 0x8000_0000 then d - 0x1_0000_0000 else d

let side () = { first = -1; last = -1; fin = None }

(* -- the ends of flows ---------------------------------------------------------------- *)

let finish t f ~now ending =
  Hashtbl.remove t.flows f.key;
  f.r.ending <- Some ending;
  f.r.ended_ns <- Int64.of_int now;
  t.ended f.r

let all t = Hashtbl.fold (fun _ f all -> f :: all) t.flows []
let stands f = f.r.connected_ns >= 0L

let sweep t ~now =
  if now - t.swept_ns > seconds 10 then (
    t.swept_ns <- now;
    List.iter
      (fun f ->
        let silent = now - f.last_ns in
        match f.r.protocol with
        | Udp when silent > seconds 120 -> finish t f ~now Closed
        | Tcp when (not (stands f)) && silent > seconds 130 -> finish t f ~now Timed_out
        | _ -> ())
      (all t))

let both_closed f = f.here.fin <> None && f.there.fin <> None

let close t ~now =
  List.iter
    (fun (f : flow) ->
      finish t f ~now
        (if f.r.protocol = Udp || both_closed f then Closed
         else if stands f then Stopped
         else Timed_out))
    (all t)

(* -- packets ----------------------------------------------------------------------------- *)

let info f () : Record.info option =
  if f.r.protocol = Udp then None
  else
    Some
      {
        client = { rtt_ns = f.rtt_ns; cwnd = 0; retransmits = f.again; path_mtu = 0 };
        server = None;
      }

let start t ~now (p : Run_packet.t) =
  sweep t ~now;
  if Hashtbl.length t.flows >= most then None
  else
    let here_is_client = p.way = Out in
    let source, destination = if here_is_client then (p.local, p.remote) else (p.remote, p.local) in
    let protocol = if p.udp then Record.Udp else Tcp in
    let r =
      Record.make protocol ~number:(t.number ()) ~source ~destination ~began_ns:(Int64.of_int now)
    in
    let f =
      {
        r;
        key = Run_packet.key p;
        here_is_client;
        here = side ();
        there = side ();
        last_ns = now;
        again = 0;
        rtt_ns = 0;
        timed = None;
      }
    in
    r.info <- info f;
    Hashtbl.replace t.flows f.key f;
    t.began r;
    Some f

let count f (p : Run_packet.t) n =
  if p.way = Out = f.here_is_client then f.r.sent <- f.r.sent + n
  else f.r.received <- f.r.received + n

let datagram t ~now (p : Run_packet.t) frame =
  let f =
    match Hashtbl.find_opt t.flows (Run_packet.key p) with
    | Some _ as f -> f
    | None -> start t ~now p
  in
  Option.iter
    (fun f ->
      f.last_ns <- now;
      if p.way = Out <> f.here_is_client && not (stands f) then f.r.connected_ns <- Int64.of_int now;
      count f p (Run_packet.datagram_length frame))
    f

let sampled f ns = f.rtt_ns <- (if f.rtt_ns = 0 then ns else ((7 * f.rtt_ns) + ns) / 8)

let time f (p : Run_packet.t) ~now ~until =
  if p.way = Out && f.timed = None then f.timed <- Some (until, now)

(* What was sent again says nothing about round trips (RFC 6298 §3). *)
let repeated f (p : Run_packet.t) =
  f.again <- f.again + 1;
  if p.way = Out then f.timed <- None

let take_syn f p mine (s : Run_packet.segment) ~now =
  if mine.first >= 0 then repeated f p
  else (
    mine.first <- (s.seq + 1) land 0xffff_ffff;
    mine.last <- mine.first;
    time f p ~now ~until:mine.first;
    if s.ack <> None then f.r.connected_ns <- Int64.of_int now)

let take_data f p mine (s : Run_packet.segment) ~now =
  if s.length > 0 && mine.first >= 0 then
    let until = (s.seq + s.length) land 0xffff_ffff in
    let fresh = ahead until mine.last in
    if fresh > 0 then (
      mine.last <- until;
      count f p fresh;
      time f p ~now ~until)
    else repeated f p

let acknowledged f a ~now =
  (match f.timed with
  | Some (until, at) when ahead a until >= 0 ->
      f.timed <- None;
      sampled f (now - at)
  | _ -> ());
  match f.here.fin with Some until when ahead a until >= 0 -> f.r.client_closed <- true | _ -> ()

let reset_by f (p : Run_packet.t) : Record.ending =
  match (p.way = Out = f.here_is_client, stands f) with
  | true, true -> Reset_by_client
  | false, true -> Reset_by_server
  | true, false -> Abandoned
  | false, false -> Refused

let go_on t f (p : Run_packet.t) (s : Run_packet.segment) ~now =
  let mine = if p.way = Out then f.here else f.there in
  f.last_ns <- now;
  if s.syn then take_syn f p mine s ~now;
  take_data f p mine s ~now;
  if s.fin then mine.fin <- Some ((s.seq + s.length + 1) land 0xffff_ffff);
  if p.way = In then Option.iter (fun a -> acknowledged f a ~now) s.ack;
  if s.rst then finish t f ~now (reset_by f p)
  else if both_closed f && f.r.client_closed then finish t f ~now Closed

let segment t ~now (p : Run_packet.t) (s : Run_packet.segment) =
  let opens = s.syn && s.ack = None in
  let fresh f =
    let mine = if p.way = Out then f.here else f.there in
    opens && mine.first >= 0 && mine.first <> (s.seq + 1) land 0xffff_ffff
  in
  let f =
    match Hashtbl.find_opt t.flows (Run_packet.key p) with
    | Some f when fresh f ->
        finish t f ~now (if stands f then Stopped else Abandoned);
        start t ~now p
    | Some f -> Some f
    | None when opens -> start t ~now p
    | None -> None
  in
  Option.iter (fun f -> go_on t f p s ~now) f

let packet t ~now (p : Run_packet.t) frame =
  if p.udp then datagram t ~now p frame
  else Option.iter (segment t ~now p) (Run_packet.segment frame)
