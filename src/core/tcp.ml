open Weir_base
open Weir_wire

type connection = Tcb.t
type listener = Tcb.listener
type state = Tcb.state
type error = Tcb.error

let pp_state = Tcb.pp_state
let pp_error = Tcb.pp_error

type event = Tcb.event = Connection of connection | Listener of listener | Nothing

type t = {
  shared : Tcb.shared;
  connections : Connections.t;
  listeners : (int, listener list) Hashtbl.t;  (** by port *)
  time_wait : Tcb.t Queue.t;  (** oldest first; may hold ones that have closed *)
  secret : string;
  reply : src:Ip.t -> dst:Ip.t -> Segment.t -> unit;  (** a segment of no connection, or its last *)
  mutable last_src : Ip.t;
  mutable last_dst : Ip.t;
  mutable burst : int;  (** segments in a row from the first in the output queue *)
  ports : Ports.part;
  mutable stray : unit -> bool;
  mutable interceptor : listener option;
}

let length t = Connections.length t.connections
let ports t = t.ports
let set_stray t f = t.stray <- f
let budget t = t.shared.budget
let usage t = Tcp_usage.count t.shared.config t.connections t.listeners
let advance t ~now = if now > t.shared.now then t.shared.now <- now
let now t = t.shared.now
let last_src t = t.last_src
let last_dst t = t.last_dst

(* RFC 7323 §3.2: a RST's timestamp may tell the peer that it is no forgery. *)
let stamped (c : connection) (h : Segment.t) =
  if not c.timestamps then h
  else { h with ts_val = Tcb.timestamp_now c; ts_ecr = (if h.ack >= 0 then c.ts_recent else 0) }

let reset_segment (c : connection) =
  stamped c
    {
      Segment.base with
      src_port = c.local_port;
      dst_port = c.remote_port;
      rst = true;
      seq = Tcp_output.bare_seq c;
      ack = c.rcv_nxt;
    }

let create config counters random ~reply =
  let shared = Tcb.shared config counters (Public_random.make random) in
  let t =
    {
      shared;
      connections =
        Connections.create ~secret:((Random.State.bits random lsl 30) lor Random.State.bits random);
      listeners = Hashtbl.create 16;
      time_wait = Queue.create ();
      secret = String.init 16 (fun _ -> Char.chr (Random.State.int random 256));
      reply;
      last_src = Ip.any;
      last_dst = Ip.any;
      burst = 0;
      ports = Ports.whole ();
      stray = (fun () -> false);
      interceptor = None;
    }
  in
  shared.on_closed <-
    (fun c ->
      Connections.remove t.connections c;
      Time_waits.forget_finished t.time_wait);
  shared.send_reset <- (fun c -> t.reply ~src:c.local ~dst:c.remote (reset_segment c));
  shared.on_time_wait <-
    (fun c ->
      Queue.push c t.time_wait;
      if Queue.length t.time_wait > config.max_time_wait then
        ignore (Time_waits.forget_oldest t.time_wait));
  t

(* -- ports --------------------------------------------------------------- *)

let find t ~local ~local_port ~remote ~remote_port =
  let p = Packet.between ~source:remote ~destination:local in
  Connections.find t.connections p ~local_port ~remote_port

let listeners_on t port = Option.value (Hashtbl.find_opt t.listeners port) ~default:[]
let overlaps = Ports.overlap

let listening_on ?(share = false) t ~address port =
  List.exists
    (fun (l : listener) -> overlaps l.address address && not (share && l.l_share))
    (listeners_on t port)

let free_port t is_free =
  match Ports.choose ~part:t.ports t.shared.random is_free with 0 -> None | port -> Some port

(* -- user calls ---------------------------------------------------------- *)

(* A connection in any state, TIME-WAIT too, keeps the port unless both set [reuse] or [share]. *)
let held ?(reuse = false) ?(share = false) t ~address port =
  let held = ref false in
  let counts (c : connection) =
    c.local_port = port && overlaps c.local address && not ((reuse && c.reuse) || (share && c.share))
  in
  if Connections.may_have_port t.connections port then
    Connections.iter (fun c -> if counts c then held := true) t.connections;
  !held

let may_bind ?share t ~address ~port ~reuse =
  port = 0 || not (listening_on ?share t ~address port || held ?share t ~address port ~reuse)

let make_listener ?(share = false) ?(intercepts = false) t ~address ~port ~backlog ~reuse =
  {
    Tcb.l_shared = t.shared;
    address;
    port;
    backlog = Int.max 1 backlog;
    l_share = share;
    half_open = Queue.create ();
    half_open_count = 0;
    cookie_at = -Syn_cookies.valid_for - 1;
    accepted = Queue.create ();
    listening = true;
    intercepts;
    prepare =
      (fun c ->
        c.reuse <- reuse;
        c.share <- share);
    l_wake = ignore;
    l_in_ready = false;
  }

let listen ?(share = false) t ~address ~port ~backlog ~reuse =
  let chosen =
    if port <> 0 then if may_bind ~share t ~address ~port ~reuse then Ok port else Error `In_use
    else
      let free p = not (listening_on t ~address p || held t ~address p) in
      match free_port t free with Some p -> Ok p | None -> Error `No_port
  in
  Result.map
    (fun port ->
      let l = make_listener t ~share ~address ~port ~backlog ~reuse in
      Hashtbl.replace t.listeners port (l :: listeners_on t port);
      l)
    chosen

let intercept t ~backlog =
  if t.interceptor <> None then invalid_arg "Tcp.intercept: the host intercepts already";
  let l = make_listener t ~intercepts:true ~address:Ip.any ~port:0 ~backlog ~reuse:true in
  t.interceptor <- Some l;
  l

let is_held (c : connection) = c.held && c.state = Syn_received

let answer (c : connection) =
  if is_held c then (
    c.held <- false;
    Tcb.want_output c)

let accept (l : listener) = Queue.take_opt l.accepted
let iter_waiting f (l : listener) = Queue.iter f l.accepted
let listener_address (l : listener) = l.address
let listener_port (l : listener) = l.port
let set_prepare (l : listener) f = l.prepare <- f
let listener_wake (l : listener) = l.l_wake
let set_listener_wake (l : listener) wake = l.l_wake <- wake

let abort t (c : connection) =
  c.orphan <- true;
  (match c.state with Syn_sent | Time_wait | Closed -> () | _ -> t.shared.send_reset c);
  Tcb.close c (Some Aborted)

let forget (c : connection) = Tcb.close c (if c.state = Time_wait then None else Some Aborted)

let close_listener t (l : listener) =
  if l.listening then (
    l.listening <- false;
    if l.intercepts then t.interceptor <- None;
    (match List.filter (fun x -> x != l) (listeners_on t l.port) with
    | [] -> Hashtbl.remove t.listeners l.port
    | rest -> Hashtbl.replace t.listeners l.port rest);
    Queue.iter (fun (c : connection) -> if c.state = Syn_received then abort t c) l.half_open;
    Queue.iter (abort t) l.accepted;
    Queue.clear l.half_open;
    Queue.clear l.accepted;
    Tcb.listener_ready l)

let close_listeners t =
  Hashtbl.fold (fun _ ls all -> ls @ all) t.listeners [] |> List.iter (close_listener t)

let make_room t =
  Connections.length t.connections < t.shared.config.max_connections
  || Time_waits.forget_oldest t.time_wait

(* A port in TIME-WAIT may be reused for the same peer after a second, if timestamps distinguish
   the incarnations (RFC 6191). *)
let tuple_free t ~local ~remote ~remote_port ~reuse port =
  match find t ~local ~local_port:port ~remote ~remote_port with
  | None -> not (listening_on t ~address:local port)
  | Some c ->
      reuse && c.state = Time_wait && c.timestamps
      && t.shared.now - (c.end_at - (2 * t.shared.config.msl)) > Time.s 1

let connect t ~local ~local_port ~remote ~remote_port ~mss =
  let free reuse = tuple_free t ~local ~remote ~remote_port ~reuse in
  let chosen =
    if local_port <> 0 then
      match find t ~local ~local_port ~remote ~remote_port with
      | None -> Ok local_port
      | Some _ -> Error `In_use
    else
      match free_port t (free false) with
      | Some p -> Ok p
      | None -> Option.to_result ~none:`No_port (free_port t (free true))
  in
  match chosen with
  | Error _ as e -> e
  | Ok _ when not (make_room t) -> Error `No_port
  | Ok local_port ->
      Option.iter (fun c -> Tcb.close c None) (find t ~local ~local_port ~remote ~remote_port);
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
    | Closed -> Byte_ring.clear c.rcv
    | _ when Byte_ring.length c.rcv > 0 -> abort t c
    | _ ->
        shutdown_send c;
        let { Config.orphan_timeout; orphan_lifetime; _ } = t.shared.config in
        c.end_at <- (t.shared.now + if c.state = Fin_wait_2 then orphan_timeout else orphan_lifetime);
        Tcb.arm c)

(* -- segments ------------------------------------------------------------ *)

(* §3.10.7.1: a segment without a connection is answered by a RST that its sender accepts. [as_of]
   makes it the RST of a connection. *)
let refuse ?(as_of = Fun.id) t ~src ~dst (h : Segment.t) =
  if not h.rst then (
    t.shared.counters.tcp_out_resets <- t.shared.counters.tcp_out_resets + 1;
    let length = h.data_length + Bool.to_int h.syn + Bool.to_int h.fin in
    let answer = { Segment.base with src_port = h.dst_port; dst_port = h.src_port; rst = true } in
    t.reply ~src:dst ~dst:src
      (as_of
         (if h.ack >= 0 then { answer with seq = h.ack }
          else { answer with ack = Seq.add h.seq length })))

let has_memory t =
  Budget.fits t.shared.budget Tcb.connection_cost
  ||
  (Tcb.want_relief t.shared;
   false)

let has_room t (l : listener) = Queue.length l.accepted < l.backlog && make_room t && has_memory t

(* With more half-open connections, the text of a SYN is not stored: the peer sends it again. *)
let most_with_text = 64

let numbers t ~src ~dst (h : Segment.t) =
  Isn.initial ~secret:t.secret ~now:t.shared.now ~local:dst ~local_port:h.dst_port ~remote:src
    ~remote_port:h.src_port

let half_open t (l : listener) ~src ~dst ~mss ~iss ~ts_offset (syn : Segment.t) =
  let c =
    Tcb.create t.shared ~state:Syn_received ~local:dst ~local_port:syn.dst_port ~remote:src
      ~remote_port:syn.src_port ~iss ~ts_offset ~mss ~parent:(Some l)
  in
  t.shared.counters.tcp_passive_opens <- t.shared.counters.tcp_passive_opens + 1;
  l.half_open_count <- l.half_open_count + 1;
  Queue.push c l.half_open;
  l.prepare c;
  Tcp_input.learn_options c syn;
  Connections.add t.connections c;
  c

let answer_by_cookie t (l : listener) ~src ~dst ~mss (h : Segment.t) =
  let { Config.timestamps; sack; ecn; _ } = t.shared.config in
  let h = { h with ts_val = (if timestamps then h.ts_val else -1) } in
  let stamped = h.ts_val >= 0 in
  let stamp =
    if not stamped then -1
    else
      let _, offset = numbers t ~src ~dst h in
      Syn_cookies.stamp ~clock:(Tcb.timestamp t.shared ~offset) h
  in
  let seq =
    Syn_cookies.make ~secret:t.secret ~now:t.shared.now ~local:dst ~local_port:h.dst_port
      ~remote:src ~remote_port:h.src_port h
  in
  l.cookie_at <- t.shared.now;
  t.shared.counters.tcp_cookies_sent <- t.shared.counters.tcp_cookies_sent + 1;
  t.reply ~src:dst ~dst:src
    {
      Segment.base with
      src_port = h.dst_port;
      dst_port = h.src_port;
      syn = true;
      seq;
      ack = Seq.add h.seq 1;
      window = Int.min 65_535 t.shared.config.receive_buffer;
      mss;
      window_scale = (if stamped && h.window_scale >= 0 then Tcb.window_scale t.shared else -1);
      sack_permitted = stamped && sack && h.sack_permitted;
      ece = stamped && ecn <> Off && h.ece && h.cwr;
      ts_val = stamp;
      ts_ecr = (if stamped then h.ts_val else 0);
    }

(* §3.10.7.2, third step. An answered SYN always gets in, so the backlog is exceeded only by
   handshakes that were in progress when it filled. *)
let passive_open t (l : listener) ~src ~dst ~mss (h : Segment.t) b ~data =
  Half_open.forget_finished l;
  if not (has_room t l) then
    t.shared.counters.tcp_syns_dropped <- t.shared.counters.tcp_syns_dropped + 1
  else if l.half_open_count >= Int.max l.backlog t.shared.config.max_half_open then
    if Syn_cookies.can_keep h then answer_by_cookie t l ~src ~dst ~mss h
    else t.shared.counters.tcp_syns_dropped <- t.shared.counters.tcp_syns_dropped + 1
  else
    let iss, ts_offset = numbers t ~src ~dst h in
    let c = half_open t l ~src ~dst ~mss ~iss ~ts_offset h in
    if l.half_open_count <= most_with_text then Tcp_receiver.keep c h b ~data;
    Tcb.want_output c

(* A SYN for anywhere waits for its answer. If the peer sends it again meanwhile, nothing happens. *)
let hold t (l : listener) ~src ~dst ~mss (h : Segment.t) b ~data =
  Half_open.forget_finished l;
  if
    Int.max l.half_open_count (Queue.length l.accepted) >= l.backlog
    || not (make_room t && has_memory t)
  then t.shared.counters.tcp_syns_dropped <- t.shared.counters.tcp_syns_dropped + 1
  else
    let iss, ts_offset = numbers t ~src ~dst h in
    let c = half_open t l ~src ~dst ~mss ~iss ~ts_offset h in
    c.held <- true;
    if l.half_open_count <= most_with_text then Tcp_receiver.keep c h b ~data;
    Queue.push c l.accepted;
    Tcb.listener_ready l

let flooded t (l : listener) = t.shared.now - l.cookie_at <= Syn_cookies.valid_for

let from_cookie t (l : listener) ~src ~dst (h : Segment.t) =
  if flooded t l then
    Syn_cookies.check ~secret:t.secret ~now:t.shared.now ~local:dst ~local_port:h.dst_port
      ~remote:src ~remote_port:h.src_port h
  else None

(* Completes the handshake of [syn], which [h] answers. *)
let open_by_cookie t (l : listener) ~src ~dst ~mss ~syn (h : Segment.t) b ~data =
  t.shared.counters.tcp_cookies_taken <- t.shared.counters.tcp_cookies_taken + 1;
  let _, ts_offset = numbers t ~src ~dst h in
  let c = half_open t l ~src ~dst ~mss ~iss:(Seq.add h.ack (-1)) ~ts_offset syn in
  Tcp_output.syn_was_sent c;
  (* The echoed timestamp holds options, so it gives no round trip. *)
  match Tcp_input.segment c { h with ts_ecr = 0 } b ~data with
  | Done | New_connection | Other_handshake -> ()
  | Reply_reset -> refuse t ~src ~dst h

(* An ACK without a connection may complete a handshake by cookie. Without room it is not answered:
   the peer's data will bring another ACK. Nor is one that fits no cookie: a peer whose first data
   were lost may have answered another SYN-ACK, which a forged SYN of the flood caused. A RST would end
   its connection; without an answer it sends the data again, and they fit. *)
let ack_of_cookie t (l : listener) ~src ~dst ~mss (h : Segment.t) b ~data =
  match from_cookie t l ~src ~dst h with
  | None -> if not (t.stray () || flooded t l) then refuse t ~src ~dst h
  | Some syn -> if has_room t l then open_by_cookie t l ~src ~dst ~mss ~syn h b ~data

(* A flood may have made [c] with the address and port of an honest peer, whose SYN or ACK [h] is. It
   must not have to wait until [c] ends: a cookie is answered and taken as if [c] were not there. *)
let other_handshake t (c : connection) ~mss (h : Segment.t) b ~data =
  let src = c.remote and dst = c.local in
  let beside () =
    match Tcp_input.synchronised c h b ~data with
    | Reply_reset -> refuse t ~src ~dst h ~as_of:(stamped c)
    | Done | New_connection | Other_handshake -> ()
  in
  match c.parent with
  | Some l when l.listening && flooded t l -> (
      if h.ack < 0 then
        if Syn_cookies.can_keep h then answer_by_cookie t l ~src ~dst ~mss h else beside ()
      else
        match from_cookie t l ~src ~dst h with
        | Some syn when has_room t l ->
            Tcb.close c None;
            open_by_cookie t l ~src ~dst ~mss ~syn h b ~data
        | Some _ -> ()
        | None -> beside ())
  | _ -> beside ()

(* Among listeners that share the port, always the same one for a peer's port. *)
let one_of t listeners ~src ~src_port =
  match listeners with
  | [] -> None
  | [ l ] -> Some l
  | many ->
      let n = List.length many in
      Some (List.nth many (Hashtbl.hash (t.secret, Ip.key src, src_port) mod n))

let listener_for t ~src ~src_port ~dst port =
  let on address = List.filter (fun (l : listener) -> Ip.equal l.address address) in
  let all = listeners_on t port in
  let first_of address = one_of t (on address all) ~src ~src_port in
  match first_of dst with
  | Some _ as l -> l
  | None -> (
      match if Ip.is_v4 dst then first_of Ip.any else None with
      | Some _ as l -> l
      | None -> first_of Ip.any_v6)

(* §3.10.7.2 (LISTEN) and §3.10.7.1 (CLOSED). *)
let unconnected t ~src ~dst ~mss (h : Segment.t) b ~data =
  match (listener_for t ~src ~src_port:h.src_port ~dst h.dst_port, t.interceptor) with
  | None, Some l when h.syn && h.ack < 0 && not (h.fin || h.rst) ->
      hold t l ~src ~dst ~mss h b ~data
  | None, _ -> if not (t.stray ()) then refuse t ~src ~dst h
  | Some l, _ ->
      if h.rst then ignore (t.stray () : bool)
      else if h.ack >= 0 && not h.syn then ack_of_cookie t l ~src ~dst ~mss h b ~data
      else if h.ack >= 0 then (if not (t.stray ()) then refuse t ~src ~dst h)
      else if h.syn && not h.fin then passive_open t l ~src ~dst ~mss h b ~data

let input t (p : Packet.t) ~mss (h : Segment.t) b ~data =
  let segments =
    if p.segment_size = 0 then 1 else 1 + (Int.max 0 (h.data_length - 1) / p.segment_size)
  in
  t.shared.counters.tcp_in <- t.shared.counters.tcp_in + segments;
  match Connections.find t.connections p ~local_port:h.dst_port ~remote_port:h.src_port with
  | None -> unconnected t ~src:(Packet.source p) ~dst:(Packet.destination p) ~mss h b ~data
  | Some c -> (
      let src = c.remote and dst = c.local in
      if c.ecn then t.shared.ecn_in <- Packet.ecn p;
      match Tcp_input.segment c h b ~data with
      | Done -> ()
      | Reply_reset -> refuse t ~src ~dst h ~as_of:(stamped c)
      | Other_handshake -> other_handshake t c ~mss h b ~data
      | New_connection
        when t.interceptor <> None
             || listener_for t ~src ~src_port:h.src_port ~dst h.dst_port <> None ->
          Tcb.close c None;
          unconnected t ~src ~dst ~mss h b ~data
      | New_connection ->
          (* There is no listener: TIME-WAIT goes on, and the ACK tells the sender the expected number. *)
          Tcb.ack_now c)

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

let deadline t = Int.min t.shared.relief_at (Heap.min_key t.shared.timers)

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
  Frame.set_tail frame out_tail ~at ~len

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
    | Connection c -> if Byte_ring.length c.snd > c.mss then c.most + 60 else c.mss + 60
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
  let tcb = Fun.id
  let connection = Fun.id
  let tcb_listener = Fun.id
  let shared t = t.shared
end
