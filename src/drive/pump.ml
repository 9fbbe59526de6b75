open Weir_base
open Weir_core
open Weir_link
module Frame = Weir_base.Frame

type Tcb.owner += Wakes of (unit -> unit)
type Udp_sockets.owner += Wakes_reader of (unit -> unit)

type t = {
  stack : Stack.t;
  link : Link.t;
  frames : Frame.pool;
  hosts : (string * Ipaddr.t) list;
  rearm : unit -> unit;
  calls : (unit -> unit) Fifo.t;  (** what the driver has to call *)
  mutable sleeping_until : Time.t;  (** [awake]: the driver is going to ask *)
  mutable flush_due : bool;  (** users wrote what has not left *)
  mutable flush_by : Time.t;  (** when it must leave, [Time.never] if the driver sees to it *)
  pings : (int * int, Stack.pong -> unit) Hashtbl.t;  (** by identifier and sequence *)
  mutable next_ping : int;
  mutable ended : unit -> unit;
  mutable released : bool;
}

let awake = min_int
let no_call () = ()

let create ~random ~hosts ~rearm ~now link (settings : Stack.settings) =
  {
    stack = Stack.create settings ~random ~now;
    link;
    frames = Frame.pool ~size:(settings.mtu + Link.header_length) ();
    hosts;
    rearm;
    calls = Fifo.create ~dummy:no_call;
    sleeping_until = awake;
    flush_due = false;
    flush_by = Time.never;
    pings = Hashtbl.create 8;
    next_ping = Random.State.int random 65_536;
    ended = ignore;
    released = false;
  }

let stack t = t.stack
let link t = t.link
let hosts t = t.hosts
let own_connection (c : Tcp.connection) wake = c.owner <- Wakes wake
let own_listener (l : Tcp.listener) wake = l.l_owner <- Wakes wake
let own_datagrams s wake = Udp_sockets.set_owner s (Wakes_reader wake)
let on_ended t f = t.ended <- f
let is_released t = t.released
let peer_has_all = Tcb.peer_has_all

(* -- what the driver has to call ----------------------------------------- *)

let call t f = Fifo.push t.calls f
let next_call t = if Fifo.is_empty t.calls then no_call else Fifo.pop t.calls

let rec tell t =
  let f = next_call t in
  if f != no_call then (
    f ();
    tell t)

let dispatch t (event : Stack.event) =
  match event with
  | Nothing -> ()
  | Connection c -> (
      if peer_has_all c then call t t.ended;
      match c.owner with Wakes wake -> call t wake | _ -> ())
  | Listener { l_owner = Wakes wake; _ } -> call t wake
  | Listener _ -> ()
  | Datagram s -> ( match Udp_sockets.owner s with Wakes_reader wake -> call t wake | _ -> ())
  | Pong p ->
      Option.iter
        (fun answer -> call t (fun () -> answer p))
        (Hashtbl.find_opt t.pings (p.identifier, p.sequence))

let rec events t =
  match Stack.event t.stack with
  | Nothing -> ()
  | e ->
      dispatch t e;
      events t

(* -- turning ------------------------------------------------------------- *)

let rec send_all t ~now sent =
  let f = Frame.alloc t.frames in
  if Stack.transmit t.stack ~now f then (
    t.link#send ~now f;
    send_all t ~now true)
  else (
    Frame.release f;
    sent)

let deadline t = Int.min t.flush_by (Int.min (Stack.deadline t.stack) t.link#deadline)

let watch_deadline t =
  if deadline t < t.sleeping_until then (
    t.sleeping_until <- awake;
    call t t.rearm)

let flush t ~now =
  if not t.released then (
    t.flush_due <- false;
    t.flush_by <- Time.never;
    if send_all t ~now false then t.link#flush;
    events t;
    watch_deadline t)

let wrote ?(by = Time.never) t =
  t.flush_due <- true;
  if by < t.flush_by then (
    t.flush_by <- by;
    watch_deadline t)

let flush_due t = t.flush_due

(* Frames taken in before the application and the link get a turn. *)
let batch = 128

let rec receive t ~now budget =
  if budget = 0 then true
  else
    let f = t.link#receive ~now in
    if f == Frame.none then false
    else (
      Stack.input t.stack ~now f;
      Frame.release f;
      receive t ~now (budget - 1))

let step t ~now =
  if t.released then false
  else
    let more = receive t ~now batch in
    Stack.tick t.stack ~now;
    flush t ~now;
    more

let run_due t ~now =
  t.sleeping_until <- awake;
  if deadline t <= now then ignore (step t ~now : bool)

let sleep_until t =
  t.sleeping_until <- (if t.released then Time.never else deadline t);
  t.sleeping_until

(* -- the end ------------------------------------------------------------- *)

let connections t =
  let all = ref [] in
  Tcp.iter (fun c -> all := c :: !all) (Stack.tcp t.stack);
  !all

(* Bytes left unread make it a reset: what was written leaves before, as far as
   windows allow. *)
let close_connection ?(abort = false) t ~now c =
  if t.flush_due && (abort || Tcp.has_unread c) then flush t ~now;
  (if abort then Tcp.abort else Tcp.close) (Stack.tcp t.stack) c

let close_all t ~now =
  let live = List.filter (fun c -> not (peer_has_all c)) (connections t) in
  List.iter
    (fun (c : Tcp.connection) ->
      c.want_closed <- true;
      close_connection t ~now c)
    live;
  flush t ~now;
  live

let rec still_live = function c :: rest when peer_has_all c -> still_live rest | live -> live
let sent_all t = Stack.nothing_waits t.stack

let release t ~now =
  if not t.released then (
    List.iter
      (fun c -> if peer_has_all c then Tcp.forget c else Tcp.abort (Stack.tcp t.stack) c)
      (connections t);
    Stack.close_sockets t.stack;
    flush t ~now;
    t.released <- true;
    t.link#close)

(* -- echo ---------------------------------------------------------------- *)

type pong = Reply of { bytes : int; ttl : int; rtt_ns : int } | Failed of string | Lost

let ping t ~now ~data_length ~sequence address answered =
  t.next_ping <- (t.next_ping + 1) land 0xffff;
  let identifier = t.next_ping and sent = now () in
  Hashtbl.replace t.pings (identifier, sequence) (fun (p : Stack.pong) ->
      answered
        (match p.outcome with
        | Ok () -> Reply { bytes = p.data_length; ttl = p.ttl; rtt_ns = now () - sent }
        | Error e -> Failed e));
  let failed why = call t (fun () -> answered (Failed why)) in
  (match Stack.ping t.stack ~now:sent address ~identifier ~sequence ~data_length with
  | Ok () -> flush t ~now:sent
  | Error `No_room -> failed "output queue full"
  | Error `Too_long -> failed "too long");
  fun () -> Hashtbl.remove t.pings (identifier, sequence)
