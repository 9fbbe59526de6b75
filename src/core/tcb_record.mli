(** The record of one connection (RFC 9293 §3.3.1), that of a listener, and the state that all of a
    host share; and what is in them at first. The variables have the RFC's names. {!Tcb} includes
    this module. *)

open Weir_base
open Weir_wire

(** The states of RFC 9293 §3.3.2. LISTEN is {!listener}. *)
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

(** Why a connection ended before both sides closed it. *)
type error =
  | Refused  (** RST in answer to a SYN *)
  | Reset  (** RST by the peer *)
  | Timed_out
  | Unreachable of Icmp_error.t  (** reported by a router or by this host's neighbour table *)
  | Aborted  (** by the local user *)
  | No_memory  (** reset to free memory: see {!Pressure} *)

val pp_state : Format.formatter -> state -> unit
val pp_error : Format.formatter -> error -> unit

type paths = {
  generation : unit -> int;  (** changes with every change of the paths *)
  changed : unit -> unit;  (** changes it *)
  offload : Ip.t -> Offload.t;  (** the offloads of the link to a peer *)
  link_mtu : Ip.t -> int;  (** its MTU *)
  table : Paths.t;  (** and where the path is narrower *)
}
(** What TCP needs to know of the network layer's routes. *)

type t = {
  shared : shared;
  id : int;
  local : Ip.t;
  local_key : int;  (** {!Ip.key} *)
  local_port : int;
  remote : Ip.t;
  remote_key : int;
  remote_port : int;
  ip_header : int;  (** bytes of the IP header before each segment: 20 or 40 *)
  pseudo : int;  (** {!Checksum} partial sum of the pseudo-header without the length *)
  parent : listener option;  (** the listener it came from *)
  mutable reuse : bool;  (** the port may be bound again with SO_REUSEADDR *)
  mutable share : bool;  (** the port may be bound again with SO_REUSEPORT *)
  mutable held : bool;  (** its SYN waits for an answer: see {!Tcp.intercept} *)
  mutable state : state;
  mutable error : error option;
  mutable wake : unit -> unit;  (** the driver's function: see {!Tcp.set_wake} *)
  (* send *)
  snd : Send_queue.t;  (** data from [snd_head] on *)
  mutable snd_head : Seq.t;  (** sequence number of the first byte in [snd] *)
  iss : Seq.t;
  mutable snd_una : Seq.t;
  mutable snd_nxt : Seq.t;  (** set back to [iss] when the SYN times out *)
  mutable snd_max : Seq.t;  (** highest [snd_nxt] ever *)
  mutable snd_wnd : int;  (** unscaled *)
  mutable snd_wl1 : Seq.t;
  mutable snd_wl2 : Seq.t;
  mutable max_snd_wnd : int;
  mutable snd_sml : Seq.t;  (** end of the last short segment *)
  mutable snd_scale : int;
  mutable fin_queued : bool;
  mutable fin_acked : bool;
  local_mss : int;  (** what we advertise *)
  mutable mss : int;  (** of data in a segment, options taken off *)
  mutable mss_limit : int;  (** the longest that both ends allow, whatever the path *)
  mutable path : Path_state.t;
  mutable nodelay : bool;
  mutable most : int;
      (** bytes of data in one frame: [mss], or a multiple if the link cuts segments *)
  mutable partial : bool;  (** the link completes checksums *)
  mutable gathers : bool;  (** it takes the data of long frames from the ring *)
  mutable path_seen : int;  (** the {!paths} generation of [most] and [partial]; -1 if none *)
  mutable pace_rate : int;  (** bytes per second, 0 if the flow is not paced: see {!Pacing} *)
  mutable pace_most : int;  (** the most bytes of data in a frame at that rate *)
  mutable pace_free_at : Time.t;  (** when all that was sent has left at that rate *)
  (* receive *)
  rcv : Byte_ring.t;
  mutable irs : Seq.t;
  mutable rcv_nxt : Seq.t;
  mutable rcv_adv : Seq.t;  (** right edge of the window last advertised *)
  mutable rcv_scale : int;
  mutable rcv_limit : int;  (** current bound on unread bytes *)
  mutable rcv_most : int;  (** the most that [rcv_limit] may grow to *)
  mutable rcv_round_at : Time.t;  (** when the count of bytes read in a round trip began *)
  mutable rcv_round_bytes : int;
  mutable ahead : Out_of_order.t;
  mutable dsack_left : Seq.t;  (** a duplicate to report by D-SACK, -1 if none (RFC 2883) *)
  mutable dsack_right : Seq.t;
  mutable rcv_fin : Seq.t;  (** sequence number of the peer's FIN, -1 if not seen *)
  mutable rcv_shut : bool;
      (** the receiving side is shut down: after the received bytes a read finds the end *)
  mutable orphan : bool;  (** the user has closed *)
  mutable acks_owed : int;  (** segments that each demand an ACK now *)
  mutable rcv_mss : int;  (** estimated length of the peer's full segments *)
  (* options *)
  mutable timestamps : bool;
  mutable ts_recent : int;
  mutable ts_recent_at : Time.t;
  mutable last_ack_sent : Seq.t;
  mutable sack : bool;  (** both SYNs permitted SACK *)
  mutable ecn : Ecn_state.t;
  ts_offset : int;
  (* recovery *)
  rto : Rto.t;
  congestion : Congestion.t;
  board : Scoreboard.t;
  rack : Rack.t;
  recovery : Recovery_state.t;
  mutable timed_end : Seq.t;  (** the segment being timed ends here, -1 if none *)
  mutable timed_at : Time.t;
  mutable last_sent_at : Time.t;  (** of data within the window, or SYN *)
  mutable last_received_at : Time.t;
  mutable retries : int;
  mutable soft_error : error;
      (** the error if a timeout ends the connection; a router may have reported it *)
  mutable probes : int;  (** zero-window probes since data were last acknowledged *)
  (* timers: instants, [Time.never] when off *)
  mutable rtx_at : Time.t;
  mutable reo_at : Time.t;  (** the reordering window ends (RFC 8985 §6.3) *)
  mutable pto_at : Time.t;  (** a tail loss probe is due (§7.2) *)
  mutable persist_at : Time.t;
  mutable pace_at : Time.t;  (** a segment that is ready may leave *)
  mutable probe : bool;  (** the persist timer asks for one segment beyond the window *)
  mutable delayed_ack_at : Time.t;
  mutable keepalive_at : Time.t;
  mutable keepalive : Config.keepalive option;
  mutable keepalive_probe : bool;
  mutable keepalive_sent : int;
  mutable user_timeout : Time.t;  (** in force: see {!User_timeout}; [Time.never] if none *)
  mutable uto : Config.user_timeout option;  (** the user's wish *)
  mutable uto_due : bool;  (** the next ACK without data tells it *)
  mutable stuck_at : Time.t;
      (** when the oldest unacknowledged data were sent, or the window was found closed; valid while
          [retries] or [probes] is above 0 *)
  mutable end_at : Time.t;  (** TIME-WAIT and orphaned FIN-WAIT-2 *)
  mutable trim_at : Time.t;  (** when idle buffers free their storage *)
  mutable timer_key : Time.t;  (** its key in [shared.timers] *)
  mutable timer_slot : int;  (** its slot there, -1 if none *)
  mutable challenge_at : Time.t;
  mutable challenges : int;  (** challenge ACKs sent since [challenge_at] *)
  (* what the user waits for *)
  mutable want_readable : bool;
  mutable want_writable : bool;
  mutable want_connected : bool;
  mutable want_closed : bool;
  (* queues *)
  mutable in_output : bool;
  mutable in_ready : bool;
  mutable relief_mark : int;  (** its progress when {!Pressure} last checked *)
  mutable starved : bool;  (** its writer waits for memory *)
  mutable retransmitted : int;
}

and listener = {
  l_shared : shared;
  address : Ip.t;  (** [Ip.any] for all of IPv4, [Ip.any_v6] for all *)
  port : int;
  backlog : int;
  l_share : bool;  (** shares its port (SO_REUSEPORT) *)
  half_open : t Queue.t;  (** oldest first; may hold ones that have left SYN-RECEIVED *)
  mutable half_open_count : int;
  mutable cookie_at : Time.t;  (** when the last SYN cookie was sent *)
  accepted : t Queue.t;
  mutable listening : bool;
  intercepts : bool;  (** its connections are accepted before the handshake *)
  mutable prepare : t -> unit;  (** sets the options of new connections *)
  mutable l_wake : unit -> unit;
  mutable l_in_ready : bool;
}

and event = Connection of t | Listener of listener | Nothing

and shared = {
  config : Config.t;
  counters : Counters.t;
  random : Random.State.t;
  output : event Fifo.t;  (** connections that have segments to send *)
  ready : event Fifo.t;  (** what the driver must look at *)
  timers : t Heap.t;
  budget : Budget.t;  (** of all buffers *)
  hungry : event Fifo.t;  (** connections whose writers wait for memory *)
  mutable relief_at : Time.t;  (** when to look for memory again *)
  mutable now : Time.t;
  mutable next_id : int;
  mutable paths : paths;
  out : Segment.t;  (** the header that is being written *)
  mutable out_partial : bool;  (** the segment that was written last has a partial checksum *)
  mutable out_segment_size : int;  (** data in each segment of that frame; 0 if it is one segment *)
  mutable out_ecn : int;  (** that frame's ECN codepoint *)
  mutable ecn_in : int;
      (** the ECN codepoint of the packet that is being read, if its connection uses ECN *)
  mutable out_tail : Bytes.t;  (** the ring from which the link takes that frame's data *)
  mutable out_tail_at : int;
  mutable out_tail_len : int;  (** 0: the data were copied *)
  mutable on_closed : t -> unit;  (** takes the connection out of the tables *)
  mutable on_time_wait : t -> unit;
  mutable send_reset : t -> unit;
}

val shared : Config.t -> Counters.t -> Random.State.t -> shared

val create :
  shared ->
  state:state ->
  local:Ip.t ->
  local_port:int ->
  remote:Ip.t ->
  remote_port:int ->
  iss:Seq.t ->
  ts_offset:int ->
  mss:int ->
  parent:listener option ->
  t
(** [create] is a connection that has sent nothing. [mss] bounds the segments until the peer's SYN
    gives its MSS. [ts_offset] is added to its timestamps. *)

val connection_cost : int
(** Bytes that a connection takes from the budget in addition to its buffers. *)

val window_scale : shared -> int
(** [window_scale s] is the shift we offer: the smallest that can express the receive buffer. *)
