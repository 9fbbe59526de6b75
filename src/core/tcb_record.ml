open Weir_base
open Weir_wire

type state =
  | Syn_sent
  | Syn_received
  | Established
  | Fin_wait_1
  | Fin_wait_2
  | Close_wait
  | Closing
  | Last_ack
  | Time_wait
  | Closed

type error = Refused | Reset | Timed_out | Unreachable of Icmp_error.t | Aborted | No_memory

let pp_state f s =
  Fmt.string f
    (match s with
    | Syn_sent -> "SYN-SENT"
    | Syn_received -> "SYN-RECEIVED"
    | Established -> "ESTABLISHED"
    | Fin_wait_1 -> "FIN-WAIT-1"
    | Fin_wait_2 -> "FIN-WAIT-2"
    | Close_wait -> "CLOSE-WAIT"
    | Closing -> "CLOSING"
    | Last_ack -> "LAST-ACK"
    | Time_wait -> "TIME-WAIT"
    | Closed -> "CLOSED")

let pp_error f = function
  | Refused -> Fmt.string f "connection refused"
  | Reset -> Fmt.string f "connection reset by peer"
  | Timed_out -> Fmt.string f "connection timed out"
  | Unreachable message -> Fmt.pf f "unreachable: %a" Icmp_error.pp message
  | Aborted -> Fmt.string f "connection aborted"
  | No_memory -> Fmt.string f "out of buffer memory"

type paths = {
  generation : unit -> int;
  changed : unit -> unit;
  offload : Ip.t -> Offload.t;
  link_mtu : Ip.t -> int;
  table : Paths.t;
}

type t = {
  shared : shared;
  id : int;
  local : Ip.t;
  local_key : int;
  local_port : int;
  remote : Ip.t;
  remote_key : int;
  remote_port : int;
  ip_header : int;
  pseudo : int;
  parent : listener option;
  mutable reuse : bool;
  mutable share : bool;
  mutable held : bool;
  mutable state : state;
  mutable error : error option;
  mutable wake : unit -> unit;
  (* send *)
  snd : Send_queue.t;
  mutable snd_head : Seq.t;
  iss : Seq.t;
  mutable snd_una : Seq.t;
  mutable snd_nxt : Seq.t;
  mutable snd_max : Seq.t;
  mutable snd_wnd : int;
  mutable snd_wl1 : Seq.t;
  mutable snd_wl2 : Seq.t;
  mutable max_snd_wnd : int;
  mutable snd_sml : Seq.t;
  mutable snd_scale : int;
  mutable fin_queued : bool;
  mutable fin_acked : bool;
  local_mss : int;
  mutable mss : int;
  mutable mss_limit : int;
  mutable path : Path_state.t;
  mutable nodelay : bool;
  mutable most : int;
  mutable partial : bool;
  mutable gathers : bool;
  mutable path_seen : int;
  mutable pace_rate : int;
  mutable pace_most : int;
  mutable pace_free_at : Time.t;
  (* receive *)
  rcv : Byte_ring.t;
  mutable irs : Seq.t;
  mutable rcv_nxt : Seq.t;
  mutable rcv_adv : Seq.t;
  mutable rcv_scale : int;
  mutable rcv_limit : int;
  mutable rcv_most : int;
  mutable rcv_round_at : Time.t;
  mutable rcv_round_bytes : int;
  mutable ahead : Out_of_order.t;
  mutable dsack_left : Seq.t;
  mutable dsack_right : Seq.t;
  mutable rcv_fin : Seq.t;
  mutable rcv_shut : bool;
  mutable orphan : bool;
  mutable acks_owed : int;
  mutable rcv_mss : int;
  (* options *)
  mutable timestamps : bool;
  mutable ts_recent : int;
  mutable ts_recent_at : Time.t;
  mutable last_ack_sent : Seq.t;
  mutable sack : bool;
  mutable ecn : Ecn_state.t;
  ts_offset : int;
  (* recovery *)
  rto : Rto.t;
  congestion : Congestion.t;
  board : Scoreboard.t;
  rack : Rack.t;
  recovery : Recovery_state.t;
  mutable timed_end : Seq.t;
  mutable timed_at : Time.t;
  mutable last_sent_at : Time.t;
  mutable last_received_at : Time.t;
  mutable retries : int;
  mutable soft_error : error;
  mutable probes : int;
  (* timers: instants, [Time.never] when off *)
  mutable rtx_at : Time.t;
  mutable reo_at : Time.t;
  mutable pto_at : Time.t;
  mutable persist_at : Time.t;
  mutable pace_at : Time.t;
  mutable probe : bool;
  mutable delayed_ack_at : Time.t;
  mutable keepalive_at : Time.t;
  mutable keepalive : Config.keepalive option;
  mutable keepalive_probe : bool;
  mutable keepalive_sent : int;
  mutable user_timeout : Time.t;
  mutable uto : Config.user_timeout option;
  mutable uto_due : bool;
  mutable stuck_at : Time.t;
  mutable end_at : Time.t;
  mutable trim_at : Time.t;
  mutable timer_key : Time.t;
  mutable timer_slot : int;
  mutable challenge_at : Time.t;
  mutable challenges : int;
  (* what the user waits for *)
  mutable want_readable : bool;
  mutable want_writable : bool;
  mutable want_connected : bool;
  mutable want_closed : bool;
  (* queues *)
  mutable in_output : bool;
  mutable in_ready : bool;
  mutable relief_mark : int;
  mutable starved : bool;
  mutable retransmitted : int;
}

and listener = {
  l_shared : shared;
  address : Ip.t;
  port : int;
  backlog : int;
  l_share : bool;
  half_open : t Queue.t;
  mutable half_open_count : int;
  mutable cookie_at : Time.t;
  accepted : t Queue.t;
  mutable listening : bool;
  intercepts : bool;
  mutable prepare : t -> unit;
  mutable l_wake : unit -> unit;
  mutable l_in_ready : bool;
}

and event = Connection of t | Listener of listener | Nothing

and shared = {
  config : Config.t;
  counters : Counters.t;
  random : Random.State.t;
  output : event Fifo.t;
  ready : event Fifo.t;
  timers : t Heap.t;
  budget : Budget.t;
  hungry : event Fifo.t;
  mutable relief_at : Time.t;
  mutable now : Time.t;
  mutable next_id : int;
  mutable paths : paths;
  out : Segment.t;
  mutable out_partial : bool;
  mutable out_segment_size : int;
  mutable out_ecn : int;
  mutable ecn_in : int;
  mutable out_tail : Bytes.t;
  mutable out_tail_at : int;
  mutable out_tail_len : int;
  mutable on_closed : t -> unit;
  mutable on_time_wait : t -> unit;
  mutable send_reset : t -> unit;
}

let shared config counters random =
  {
    config;
    counters;
    random;
    output = Fifo.create ~dummy:Nothing;
    ready = Fifo.create ~dummy:Nothing;
    timers = Heap.create ~moved:(fun c slot -> c.timer_slot <- slot) ();
    budget = Budget.create ~limit:config.memory;
    hungry = Fifo.create ~dummy:Nothing;
    relief_at = Time.never;
    now = 0;
    next_id = 0;
    paths =
      {
        generation = (fun () -> 0);
        changed = ignore;
        offload = (fun _ -> Offload.none);
        link_mtu = (fun _ -> max_int);
        table = Paths.create ~secret:0;
      };
    out = Segment.create ();
    out_partial = false;
    out_segment_size = 0;
    out_ecn = 0;
    ecn_in = 0;
    out_tail = Bytes.empty;
    out_tail_at = 0;
    out_tail_len = 0;
    on_closed = ignore;
    on_time_wait = ignore;
    send_reset = ignore;
  }

let window_scale shared =
  let rec least shift =
    if 65_535 lsl shift >= shared.config.receive_buffer then shift else least (shift + 1)
  in
  Int.min 14 (least 0)

(* What a connection's own record and its driver's hold, about. *)
let connection_cost = 4_096

(* What a SYN can announce (RFC 7323 §2.2). *)
let first_receive_buffer = 65_535

let create shared ~state ~local ~local_port ~remote ~remote_port ~iss ~ts_offset ~mss ~parent =
  let config = shared.config in
  let id = shared.next_id in
  shared.next_id <- id + 1;
  Budget.take shared.budget connection_cost;
  let board = Scoreboard.create () in
  let congestion = Congestion.create ~seed:iss (List.hd config.congestion) ~mss in
  Scoreboard.set_rated board (Congestion.wanted_rate congestion);
  {
    shared;
    id;
    local;
    local_key = Ip.key local;
    local_port;
    remote;
    remote_key = Ip.key remote;
    remote_port;
    ip_header = Ip.header_length remote;
    pseudo = Ip.pseudo_sum ~src:local ~dst:remote ~protocol:Weir_wire.Ipv4.protocol_tcp ~length:0;
    parent;
    reuse = false;
    share = false;
    state;
    error = None;
    wake = ignore;
    snd = Send_queue.create ~budget:shared.budget ~capacity:config.send_buffer ();
    snd_head = Seq.add iss 1;
    iss;
    snd_una = iss;
    snd_nxt = iss;
    snd_max = iss;
    snd_wnd = 0;
    snd_wl1 = 0;
    snd_wl2 = 0;
    max_snd_wnd = 0;
    snd_sml = iss;
    snd_scale = 0;
    fin_queued = false;
    fin_acked = false;
    held = false;
    local_mss = mss;
    mss;
    mss_limit = mss;
    path = Path_state.none;
    nodelay = config.nodelay;
    most = mss;
    partial = false;
    gathers = false;
    path_seen = -1;
    pace_rate = 0;
    pace_most = max_int;
    pace_free_at = 0;
    (* The advertised window is rounded up to a multiple of the scale. *)
    rcv =
      Byte_ring.create ~budget:shared.budget
        ~capacity:(config.receive_buffer + (1 lsl window_scale shared))
        ();
    irs = 0;
    rcv_nxt = 0;
    rcv_adv = 0;
    rcv_scale = 0;
    rcv_limit = Int.min first_receive_buffer config.receive_buffer;
    rcv_most = config.receive_buffer;
    rcv_round_at = 0;
    rcv_round_bytes = 0;
    ahead = Out_of_order.empty;
    dsack_left = -1;
    dsack_right = -1;
    rcv_fin = -1;
    rcv_shut = false;
    orphan = false;
    acks_owed = 0;
    rcv_mss = mss;
    timestamps = false;
    ts_recent = 0;
    ts_recent_at = 0;
    last_ack_sent = 0;
    sack = false;
    ecn = Ecn_state.off;
    ts_offset;
    rto = Rto.create ~initial:config.rto_initial ~min:config.rto_min ~max:config.rto_max;
    congestion;
    board;
    rack = Rack.create ~iss;
    recovery = Recovery_state.create ~iss;
    timed_end = -1;
    timed_at = 0;
    last_sent_at = shared.now;
    last_received_at = shared.now;
    retries = 0;
    soft_error = Timed_out;
    probes = 0;
    rtx_at = Time.never;
    reo_at = Time.never;
    pto_at = Time.never;
    persist_at = Time.never;
    pace_at = Time.never;
    probe = false;
    delayed_ack_at = Time.never;
    keepalive_at = Time.never;
    keepalive = config.keepalive;
    keepalive_probe = false;
    keepalive_sent = 0;
    user_timeout = (match config.user_timeout with None -> Time.never | Some u -> u.limit);
    uto = config.user_timeout;
    uto_due = false;
    stuck_at = 0;
    end_at = Time.never;
    trim_at = Time.never;
    timer_key = Time.never;
    timer_slot = -1;
    challenge_at = 0;
    challenges = 0;
    want_readable = false;
    want_writable = false;
    want_connected = false;
    want_closed = false;
    in_output = false;
    in_ready = false;
    relief_mark = -1;
    starved = false;
    retransmitted = 0;
  }
