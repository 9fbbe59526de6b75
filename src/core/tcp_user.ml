open Weir_base

(* -- what is asked ------------------------------------------------------- *)

let id (c : Tcb.t) = c.id
let state (c : Tcb.t) = c.state
let error (c : Tcb.t) = c.error
let local (c : Tcb.t) = c.local
let local_port (c : Tcb.t) = c.local_port
let remote (c : Tcb.t) = c.remote
let remote_port (c : Tcb.t) = c.remote_port
let irs (c : Tcb.t) = c.irs
let mss (c : Tcb.t) = c.mss

let path_mtu (c : Tcb.t) =
  let { Tcb.link_mtu; table; _ } = c.shared.paths in
  Int.min (link_mtu c.remote) (Paths.mtu table c.remote)

let nodelay (c : Tcb.t) = c.nodelay
let keepalive (c : Tcb.t) = c.keepalive
let connected = Tcb.connected
let peer_finished = Tcb.peer_finished
let peer_has_all = Tcb.peer_has_all
let receive_over (c : Tcb.t) = Tcb.peer_finished c || c.rcv_shut
let send_over (c : Tcb.t) = c.fin_queued
let owes_ack (c : Tcb.t) = c.acks_owed > 0
let receive_limit (c : Tcb.t) = c.rcv_limit
let unacknowledged_length (c : Tcb.t) = Send_queue.length c.snd
let srtt_ns (c : Tcb.t) = Rto.srtt_ns c.rto
let congestion_window (c : Tcb.t) = Congestion.window c.congestion
let retransmitted (c : Tcb.t) = c.retransmitted

(* -- what is waited for -------------------------------------------------- *)

let want_readable (c : Tcb.t) = c.want_readable <- true
let want_writable (c : Tcb.t) = c.want_writable <- true
let want_connected (c : Tcb.t) = c.want_connected <- true
let want_peer_has_all (c : Tcb.t) = c.want_closed <- true
let wake (c : Tcb.t) = c.wake
let set_wake (c : Tcb.t) wake = c.wake <- wake

(* -- bytes --------------------------------------------------------------- *)

let unknown_rtt = Time.ms 100

(* Four times the bytes read in a round trip: a peer in slow start doubles its window in this one and
   in the next. *)
let grow_by_round_trip (c : Tcb.t) n =
  let srtt = Rto.srtt_ns c.rto and now = c.shared.now in
  let rtt = if srtt < 0 then unknown_rtt else srtt in
  let elapsed = now - c.rcv_round_at in
  c.rcv_round_bytes <- c.rcv_round_bytes + n;
  if elapsed >= rtt && rtt >= Tcb.short_path then (
    let read = c.rcv_round_bytes * (rtt / 1_000) / ((elapsed / 1_000) + 1) in
    c.rcv_limit <- Int.min c.rcv_most (Int.max c.rcv_limit (4 * read));
    c.rcv_round_at <- now;
    c.rcv_round_bytes <- 0)

(* At first the buffer grows to twice the bytes read, so that the window stays ahead of a peer in
   slow start but grows no faster than bytes arrive. It does not grow while half of it is unread. *)
let let_window_grow (c : Tcb.t) n =
  if 2 * Byte_ring.length c.rcv <= c.rcv_limit then (
    if c.rcv_limit < Tcb.short_path_buffer then
      c.rcv_limit <- Int.min (Int.min c.rcv_most Tcb.short_path_buffer) (c.rcv_limit + (2 * n));
    grow_by_round_trip c n)

let watch_idle (c : Tcb.t) =
  if c.trim_at = Time.never && c.state <> Time_wait then (
    c.trim_at <- c.shared.now + Time.s 1;
    Tcb.arm c)

let after_read (c : Tcb.t) n =
  if c.state <> Closed then (
    if c.rcv_limit < c.rcv_most then let_window_grow c n;
    if Tcp_window.window_update_due c then Tcb.ack_now c;
    watch_idle c)

let read (c : Tcb.t) b ~off ~len =
  let n = Byte_ring.read c.rcv b ~off ~len in
  if n > 0 then after_read c n;
  n

let unread (c : Tcb.t) f = Byte_ring.head c.rcv f
let unread_length (c : Tcb.t) = Byte_ring.length c.rcv
let has_unread c = unread_length c > 0

(* A reset may have cleared the ring meanwhile. *)
let discard (c : Tcb.t) n =
  let n = Int.min n (Byte_ring.length c.rcv) in
  Byte_ring.drop c.rcv n;
  if n > 0 then after_read c n

let with_unread c f =
  let n = unread c f in
  discard c n;
  n

let check_write (c : Tcb.t) =
  if c.fin_queued then invalid_arg "Tcp.write: the sending side is shut down"

let wrote (c : Tcb.t) n =
  if n > 0 && c.state <> Closed then (
    Tcb.want_output c;
    watch_idle c);
  n

(* How many of [want] bytes there is room for, and memory. *)
let room (c : Tcb.t) want =
  let n = Int.min want (Tcb.send_room c) in
  if Send_queue.affords c.snd n then n
  else (
    Tcb.starve c;
    Int.max 0 (Int.min n (Send_queue.storage c.snd - Send_queue.length c.snd)))

let write (c : Tcb.t) b ~off ~len =
  check_write c;
  if c.state = Closed then 0
  else
    let n = room c len in
    Send_queue.write c.snd b ~off ~len:n;
    wrote c n

let with_room (c : Tcb.t) ~want f =
  check_write c;
  if c.state = Closed then 0
  else
    let n = Send_queue.fill c.snd f ~want:(room c want) in
    wrote c n

(* To keep a run of a short string costs more than to copy it. *)
let worth_lending = 16_384

let write_string (c : Tcb.t) s ~off ~len =
  if len < worth_lending && not (Send_queue.continues c.snd s ~off) then
    write c (Bytes.unsafe_of_string s) ~off ~len
  else (
    check_write c;
    if c.state = Closed then 0
    else
      let n = Int.min len (Tcb.send_room c) in
      Send_queue.lend c.snd s ~off ~len:n;
      wrote c n)

(* -- the end of a direction ---------------------------------------------- *)

let shutdown_send (c : Tcb.t) =
  if not c.fin_queued then
    match c.state with
    | Syn_sent | Syn_received ->
        (* Sent once established: §3.10.4. *)
        c.fin_queued <- true
    | Established ->
        c.fin_queued <- true;
        Tcb.set_state c Fin_wait_1;
        Tcb.want_output c
    | Close_wait ->
        c.fin_queued <- true;
        Tcb.set_state c Last_ack;
        Tcb.want_output c
    | Fin_wait_1 | Fin_wait_2 | Closing | Last_ack | Time_wait | Closed -> ()

let shutdown_receive (c : Tcb.t) = c.rcv_shut <- true

(* -- options ------------------------------------------------------------- *)

let set_keepalive (c : Tcb.t) k =
  c.keepalive <- k;
  c.keepalive_sent <- 0;
  match c.state with
  | Time_wait | Closed -> ()
  | _ ->
      c.keepalive_at <- (match k with None -> Time.never | Some k -> c.shared.now + k.idle);
      Tcb.arm c

let user_timeout (c : Tcb.t) = c.uto
let user_timeout_ns (c : Tcb.t) = c.user_timeout
let set_user_timeout (c : Tcb.t) u = User_timeout.set c u
let set_send_buffer (c : Tcb.t) n = Send_queue.set_capacity c.snd n

(* The window scale was chosen with the SYN. The ring keeps room for the advertised window and for
   rounding. *)
let set_receive_buffer (c : Tcb.t) n =
  let unit = 1 lsl Tcb.window_scale c.shared in
  let n = Int.min n (65_535 * unit) in
  c.rcv_most <- n;
  c.rcv_limit <- n;
  Byte_ring.set_capacity c.rcv (Int.max (Byte_ring.capacity c.rcv) (n + unit))

let set_nodelay (c : Tcb.t) on =
  c.nodelay <- on;
  if on then Tcb.want_output c

let set_sharing (c : Tcb.t) ~reuse ~share =
  c.reuse <- reuse;
  c.share <- share

let set_congestion (c : Tcb.t) algorithm =
  Congestion.choose c.congestion algorithm;
  Scoreboard.set_rated c.board (Congestion.wanted_rate c.congestion)
