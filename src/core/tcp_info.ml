open Weir_base

type recovery = Open | Fast_recovery | After_timeout

type t = {
  state : Tcb.state;
  local_port : int;
  remote_port : int;
  window : int;
  threshold : int option;
  in_flight : int;
  peer_window : int;
  unsent : int;
  acknowledged : int;
  received : int;
  unread : int;
  mss : int;
  srtt : Time.t option;
  rto : Time.t;
  recovery : recovery;
  retransmitted : int;
  timers : (string * Time.t) list;
}

let timers (c : Tcb.t) =
  List.filter
    (fun (_, at) -> at <> Time.never)
    [
      ("retransmission", c.rtx_at);
      ("reordering", c.reo_at);
      ("probe", c.pto_at);
      ("persist", c.persist_at);
      ("pacing", c.pace_at);
      ("delayed ACK", c.delayed_ack_at);
      ("keepalive", c.keepalive_at);
      ("end", c.end_at);
    ]

let recovery (c : Tcb.t) =
  match c.recovery.phase with Open -> Open | Fast -> Fast_recovery | Timeout -> After_timeout

let of_connection (c : Tcb.t) =
  let threshold = Congestion.ssthresh c.congestion and srtt = Rto.srtt_ns c.rto in
  let written = Seq.add c.snd_head (Send_queue.length c.snd) in
  {
    state = c.state;
    local_port = c.local_port;
    remote_port = c.remote_port;
    window = Congestion.window c.congestion;
    threshold = (if threshold = max_int then None else Some threshold);
    in_flight = Scoreboard.in_flight c.board;
    peer_window = c.snd_wnd;
    unsent = Int.max 0 (Seq.diff written c.snd_max);
    acknowledged = Int.max 0 (Seq.diff c.snd_una c.iss);
    received = (if c.state = Syn_sent then 0 else Seq.diff c.rcv_nxt c.irs);
    unread = Byte_ring.length c.rcv;
    mss = c.mss;
    srtt = (if srtt < 0 then None else Some srtt);
    rto = Rto.current c.rto;
    recovery = recovery c;
    retransmitted = c.retransmitted;
    timers = timers c;
  }
