open Weir_base
open Weir_wire

type wait = {
  local : Ip.t;
  local_key : int;
  local_port : int;
  remote : Ip.t;
  remote_key : int;
  remote_port : int;
  reuse : bool;
  share : bool;
  snd_nxt : Seq.t;
  rcv_nxt : Seq.t;
  rcv_wnd : int;
  rcv_scale : int;
  max_snd_wnd : int;
  ts_offset : int;
  mutable ts_recent : int;
  mutable since : Time.t;
  mutable slot : int;
  mutable challenge_at : Time.t;
  mutable challenges : int;
}

type t = {
  shared : Tcb.shared;
  secret : int;
  table : (int, wait) Hashtbl.t;  (** by the hash of the four-tuple *)
  timers : wait Heap.t;
}

let create ~secret shared =
  let moved w slot = w.slot <- slot in
  { shared; secret; table = Hashtbl.create 16; timers = Heap.create ~moved () }

let length t = Heap.length t.timers
let cost = 512

(* -- the table ------------------------------------------------------------ *)

let key t w =
  let h = Ip.hash t.secret w.remote ~port:w.remote_port in
  Ip.hash (Connections.spread h) w.local ~port:w.local_port

let find t p ~local_port ~remote_port =
  let is_it w =
    w.remote_port = remote_port && w.local_port = local_port
    && Packet.is_between p ~remote:w.remote ~remote_key:w.remote_key ~local:w.local
         ~local_key:w.local_key
  in
  if length t = 0 then None
  else
    let h = Packet.hash_source t.secret p ~port:remote_port in
    let h = Packet.hash_destination (Connections.spread h) p ~port:local_port in
    List.find_opt is_it (Hashtbl.find_all t.table h)

(* Others may have the same hash. *)
let remove t w =
  let h = key t w in
  let others = List.filter (fun x -> x != w) (Hashtbl.find_all t.table h) in
  while Hashtbl.mem t.table h do
    Hashtbl.remove t.table h
  done;
  List.iter (Hashtbl.add t.table h) others;
  Budget.give t.shared.budget cost

let forget t w =
  if w.slot >= 0 then (
    Heap.remove t.timers w.slot;
    remove t w)

let forget_oldest t =
  match Heap.pop t.timers with
  | None -> false
  | Some w ->
      remove t w;
      true

let exists f t = length t > 0 && Hashtbl.fold (fun _ w found -> found || f w) t.table false

(* -- time ----------------------------------------------------------------- *)

let start t w =
  w.since <- t.shared.now;
  Heap.add t.timers ~key:(t.shared.now + (2 * t.shared.config.msl)) w

let again t w =
  Heap.remove t.timers w.slot;
  start t w

let deadline t = Heap.min_key t.timers
let rec expire t = if deadline t <= t.shared.now && forget_oldest t then expire t
let may_reuse t w = w.ts_recent >= 0 && t.shared.now - w.since > Time.s 1

let add t (c : Tcb.t) =
  let w =
    {
      local = c.local;
      local_key = c.local_key;
      local_port = c.local_port;
      remote = c.remote;
      remote_key = c.remote_key;
      remote_port = c.remote_port;
      reuse = c.reuse;
      share = c.share;
      snd_nxt = c.snd_max;
      rcv_nxt = c.rcv_nxt;
      rcv_wnd = Int.max 0 (Seq.diff c.rcv_adv c.rcv_nxt);
      rcv_scale = c.rcv_scale;
      max_snd_wnd = c.max_snd_wnd;
      ts_offset = c.ts_offset;
      ts_recent = (if c.timestamps then c.ts_recent else -1);
      since = 0;
      slot = -1;
      challenge_at = c.challenge_at;
      challenges = c.challenges;
    }
  in
  Hashtbl.add t.table (key t w) w;
  Budget.take t.shared.budget cost;
  start t w;
  if length t > t.shared.config.max_time_wait then ignore (forget_oldest t : bool)

(* -- segments: RFC 9293 §3.10.7.4 ------------------------------------------ *)

type verdict = Nothing | Acknowledge | New_connection

let acknowledgement t w =
  let stamped = w.ts_recent >= 0 in
  {
    Segment.base with
    src_port = w.local_port;
    dst_port = w.remote_port;
    seq = w.snd_nxt;
    ack = w.rcv_nxt;
    window = Int.min 65_535 (w.rcv_wnd lsr w.rcv_scale);
    ts_val = (if stamped then Tcb.timestamp t.shared ~offset:w.ts_offset else -1);
    ts_ecr = (if stamped then w.ts_recent else 0);
  }

let challenge t w =
  let now = t.shared.now in
  if now - w.challenge_at >= Time.s 1 then (
    w.challenge_at <- now;
    w.challenges <- 0);
  if w.challenges >= Tcp_input.most_challenges then Nothing
  else (
    w.challenges <- w.challenges + 1;
    t.shared.counters.tcp_challenge_acks <- t.shared.counters.tcp_challenge_acks + 1;
    Acknowledge)

(* A SYN starts a new incarnation if it is certainly newer (RFC 6191, RFC 9293 MUST-15). *)
let may_replace w (h : Segment.t) =
  h.syn && h.ack < 0
  && (not (h.rst || h.fin))
  &&
  if w.ts_recent >= 0 && h.ts_val >= 0 && h.ts_val <> w.ts_recent then Seq.lt w.ts_recent h.ts_val
  else Seq.lt w.rcv_nxt h.seq

(* Eighth step. *)
let fin t w =
  again t w;
  Acknowledge

let in_window t w (h : Segment.t) =
  (* RFC 1337: nothing may cut the wait short. *)
  if h.rst then if h.seq = w.rcv_nxt then Nothing else challenge t w
  else if h.syn then challenge t w
  else if h.ack < 0 then Nothing
  else if Seq.lt w.snd_nxt h.ack || Seq.diff w.snd_nxt h.ack > Int.max w.max_snd_wnd 65_535 then
    challenge t w
  else (
    if w.ts_recent >= 0 && Seq.leq h.seq w.rcv_nxt && Seq.leq w.ts_recent h.ts_val then
      w.ts_recent <- h.ts_val;
    if h.fin then fin t w else Nothing)

let outside t w (h : Segment.t) =
  t.shared.counters.tcp_duplicate <- t.shared.counters.tcp_duplicate + 1;
  if h.rst then Nothing
  else if h.syn then challenge t w
  else if h.fin then fin t w (* the peer missed our last ACK *)
  else if h.data_length > 0 then Acknowledge
  else challenge t w

let segment t w (h : Segment.t) =
  let stamped = w.ts_recent >= 0 && not h.rst in
  if may_replace w h then New_connection
  else if stamped && h.ts_val >= 0 && Seq.lt h.ts_val w.ts_recent then (
    t.shared.counters.tcp_paws_dropped <- t.shared.counters.tcp_paws_dropped + 1;
    Acknowledge)
  else if stamped && h.ts_val < 0 then Nothing (* RFC 7323 §3.2 *)
  else if Tcp_input.acceptable h ~rcv_nxt:w.rcv_nxt ~window:w.rcv_wnd then in_window t w h
  else outside t w h
