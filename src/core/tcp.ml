open Weir_base
open Weir_wire
open Tcp_state

type connection = Tcb.t
type listener = Tcb.listener
type state = Tcb.state
type error = Tcb.error

let pp_state = Tcb.pp_state
let pp_error = Tcb.pp_error

type event = Tcb.event = Connection of connection | Listener of listener | Nothing
type t = Tcp_state.t

let length = Tcp_state.length
let info = Tcp_info.of_connection
let ports t = t.ports
let set_stray t f = t.stray <- f
let budget t = t.shared.budget

let usage t =
  Tcp_usage.count t.shared.config t.connections ~time_waits:(Time_waits.length t.time_waits)
    t.listeners

let advance t ~now = if now > t.shared.now then t.shared.now <- now
let now t = t.shared.now
let last_src t = t.last_src
let last_dst t = t.last_dst

let create config counters random ~reply =
  let shared = Tcb.shared config counters (Public_random.make random) in
  let secret = String.init 16 (fun _ -> Char.chr (Random.State.int random 256)) in
  let of_tables = (Random.State.bits random lsl 20) lxor Random.State.bits random in
  let t =
    {
      shared;
      connections = Connections.create ~secret:of_tables;
      listeners = Hashtbl.create 16;
      time_waits = Time_waits.create ~secret:of_tables shared;
      secret;
      reply;
      last_src = Ip.any;
      last_dst = Ip.any;
      burst = 0;
      ports = Ports.whole ();
      stray = (fun () -> false);
      interceptor = None;
    }
  in
  shared.on_closed <- Connections.remove t.connections;
  shared.send_reset <- (fun c -> t.reply ~src:c.local ~dst:c.remote (Tcp_resets.of_connection c));
  shared.on_time_wait <- Time_waits.add t.time_waits;
  t

(* -- user calls ---------------------------------------------------------- *)

include Tcp_listeners

let abort = Tcp_resets.abort
let forget (c : connection) = Tcb.close c (if c.state = Time_wait then None else Some Aborted)

(* A port in TIME-WAIT may be reused for the same peer after a second, if timestamps distinguish
   the incarnations (RFC 6191). *)
let tuple_free t ~local ~remote ~remote_port ~reuse port =
  Option.is_none (find t ~local ~local_port:port ~remote ~remote_port)
  &&
  match find_wait t ~local ~local_port:port ~remote ~remote_port with
  | None -> not (listening_on t ~address:local port)
  | Some w -> reuse && Time_waits.may_reuse t.time_waits w

let connect t ~local ~local_port ~remote ~remote_port ~mss =
  let free reuse = tuple_free t ~local ~remote ~remote_port ~reuse in
  let chosen =
    if local_port <> 0 then
      if
        Option.is_none (find t ~local ~local_port ~remote ~remote_port)
        && Option.is_none (find_wait t ~local ~local_port ~remote ~remote_port)
      then Ok local_port
      else Error `In_use
    else
      match free_port t (free false) with
      | Some p -> Ok p
      | None -> Option.to_result ~none:`No_port (free_port t (free true))
  in
  match chosen with
  | Error _ as e -> e
  | Ok _ when not (make_room t) -> Error `No_port
  | Ok local_port ->
      Option.iter (Time_waits.forget t.time_waits)
        (find_wait t ~local ~local_port ~remote ~remote_port);
      let iss, ts_offset =
        Isn.initial ~secret:t.secret ~now:t.shared.now ~local ~local_port ~remote ~remote_port
      in
      let c =
        Tcb.create t.shared ~state:Syn_sent ~local ~local_port ~remote ~remote_port ~iss ~ts_offset
          ~mss ~parent:None
      in
      t.shared.counters.tcp_active_opens <- t.shared.counters.tcp_active_opens + 1;
      Connections.add t.connections c;
      Tcb.want_output c;
      Ok c

include Tcp_user

let close t (c : connection) =
  if not c.orphan then (
    c.orphan <- true;
    (* An orphan's retries are counted from here. *)
    c.probes <- 0;
    match c.state with
    | Syn_sent | Syn_received -> abort t c
    | Closed | Time_wait -> Byte_ring.clear c.rcv
    | _ when Byte_ring.length c.rcv > 0 -> abort t c
    | _ ->
        shutdown_send c;
        let { Config.orphan_timeout; orphan_lifetime; _ } = t.shared.config in
        c.end_at <- (t.shared.now + if c.state = Fin_wait_2 then orphan_timeout else orphan_lifetime);
        Tcb.arm c)

(* -- segments ------------------------------------------------------------ *)

(* Of a connection in TIME-WAIT. Without a listener a SYN starts no other: the wait goes on, and the ACK
   tells the sender the expected number. *)
let waiting_input t (p : Packet.t) (w : Time_waits.wait) ~mss (h : Segment.t) b ~data =
  let acknowledge () =
    t.reply ~src:w.local ~dst:w.remote (Time_waits.acknowledgement t.time_waits w)
  in
  match Time_waits.segment t.time_waits w h with
  | Nothing -> ()
  | Acknowledge -> acknowledge ()
  | New_connection ->
      let src = Packet.source p and dst = Packet.destination p in
      let listener = Tcp_listeners.listener_for t ~src ~src_port:h.src_port ~dst h.dst_port in
      if Option.is_some t.interceptor || Option.is_some listener then (
        Time_waits.forget t.time_waits w;
        Tcp_passive.unconnected t ~src ~dst ~mss h b ~data)
      else acknowledge ()

let input t (p : Packet.t) ~mss (h : Segment.t) b ~data =
  let segments =
    if p.segment_size = 0 then 1 else 1 + (Int.max 0 (h.data_length - 1) / p.segment_size)
  in
  t.shared.counters.tcp_in <- t.shared.counters.tcp_in + segments;
  match Connections.find t.connections p ~local_port:h.dst_port ~remote_port:h.src_port with
  | None -> (
      match Time_waits.find t.time_waits p ~local_port:h.dst_port ~remote_port:h.src_port with
      | Some w -> waiting_input t p w ~mss h b ~data
      | None ->
          Tcp_passive.unconnected t ~src:(Packet.source p) ~dst:(Packet.destination p) ~mss h b
            ~data)
  | Some c -> (
      let src = c.remote and dst = c.local in
      if c.ecn.on then t.shared.ecn_in <- Packet.ecn p;
      match Tcp_input.segment c h b ~data with
      | Done -> ()
      | Reply_reset -> Tcp_resets.refuse t ~src ~dst h ~as_of:(Tcp_resets.stamped c)
      | Other_handshake -> Tcp_passive.other_handshake t c ~mss h b ~data)

let unreachable t ~local ~local_port ~remote ~remote_port ~seq ~hard message =
  match find t ~local ~local_port ~remote ~remote_port with
  | Some c when Seq.leq c.snd_una seq && Seq.lt seq c.snd_max ->
      if hard && c.state = Syn_sent then (
        t.shared.counters.tcp_failed_opens <- t.shared.counters.tcp_failed_opens + 1;
        Tcb.close c (Some (Unreachable message)))
      else c.soft_error <- Unreachable message
  | _ -> ()

let packet_too_big t ~local ~local_port ~remote ~remote_port ~seq ~mtu ~length =
  match find t ~local ~local_port ~remote ~remote_port with
  | Some c -> Tcp_path.too_big c ~seq ~mtu ~length
  | None -> ()

let rec tick t =
  if t.shared.relief_at <= t.shared.now then
    Pressure.relieve t.shared (fun f -> Connections.iter f t.connections);
  let at = Heap.min_key t.shared.timers in
  if at <= t.shared.now then (
    (match Heap.pop t.shared.timers with
    | Some c ->
        c.timer_key <- Time.never;
        Tcp_timer.expire c
    | None -> ());
    tick t)

let tick t =
  Time_waits.expire t.time_waits;
  tick t

let deadline t =
  Int.min
    (Int.min t.shared.relief_at (Time_waits.deadline t.time_waits))
    (Heap.min_key t.shared.timers)

(* Connections alternate after a few segments each, so that a long transfer does
   not hold back a short answer. *)
let quantum = 16

let rec next_segment t b ~off =
  let queue = t.shared.output in
  if Fifo.is_empty queue then 0
  else
    match Fifo.peek queue with
    | Listener _ | Nothing ->
        ignore (Fifo.pop queue);
        next_segment t b ~off
    | Connection c as entry ->
        t.shared.out_partial <- false;
        t.shared.out_segment_size <- 0;
        t.shared.out_ecn <- 0;
        t.shared.out_tail_len <- 0;
        let n = Tcp_output.next c b ~off:(off + c.ip_header) in
        if n = 0 then (
          ignore (Fifo.pop queue);
          c.in_output <- false;
          t.burst <- 0;
          next_segment t b ~off)
        else (
          if t.last_dst != c.remote then t.last_dst <- c.remote;
          if t.last_src != c.local then t.last_src <- c.local;
          t.burst <- (t.burst + if n <= c.mss then 1 else n / c.mss);
          if t.burst >= quantum then (
            t.burst <- 0;
            ignore (Fifo.pop queue);
            Fifo.push queue entry);
          n)

let last_is_partial t = t.shared.out_partial
let last_segment_size t = t.shared.out_segment_size
let last_ecn t = t.shared.out_ecn
let last_tail t = t.shared.out_tail_len

let give_tail t frame =
  let { Tcb.out_tail; out_tail_at = at; out_tail_len = len; _ } = t.shared in
  Frame.set_tail frame out_tail ~at ~len;
  t.shared.out_tail <- Bytes.empty

let copy_tail t b ~off =
  let { Tcb.out_tail = ring; out_tail_at = at; out_tail_len = len; _ } = t.shared in
  let first = Int.min len (Bytes.length ring - at) in
  Bytes.blit ring at b off first;
  Bytes.blit ring 0 b (off + first) (len - first);
  t.shared.out_tail_len <- 0

let forget_tail t = t.shared.out_tail_len <- 0
let set_paths t paths = t.shared.paths <- paths

let rec longest_next t =
  let queue = t.shared.output in
  if Fifo.is_empty queue then 0
  else
    match Fifo.peek queue with
    | Connection c -> if Send_queue.length c.snd > c.mss then c.most + 60 else c.mss + 60
    | Listener _ | Nothing ->
        ignore (Fifo.pop queue);
        longest_next t

let event t =
  if Fifo.is_empty t.shared.ready then Nothing
  else
    let e = Fifo.pop t.shared.ready in
    (match e with
    | Connection c -> c.in_ready <- false
    | Listener l -> l.l_in_ready <- false
    | Nothing -> ());
    e

let iter f t = Connections.iter f t.connections

module Private = struct
  let waits t (c : Tcb.t) =
    find_wait t ~local:c.local ~local_port:c.local_port ~remote:c.remote ~remote_port:c.remote_port
    <> None

  let tcb = Fun.id
  let connection = Fun.id
  let tcb_listener = Fun.id
  let shared t = t.shared
end
