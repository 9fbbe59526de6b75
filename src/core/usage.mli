(** How much is in use of what a host bounds, so that no peer can make it grow without end. Counted
    by {!Stack.usage}. *)

type gauge = {
  used : int;
  limit : int;  (** what keeps [used] from growing; [max_int] if there is no bound *)
}

type tcp = {
  connections : gauge;
      (** in all states but CLOSED: [Config.max_connections]. The next four add up to it; those
          without a bound of their own have this one. *)
  open_ : gauge;  (** which their users hold, or will accept *)
  half_open : gauge;
      (** of listeners, in SYN-RECEIVED: for each listener its backlog, or [Config.max_half_open] if
          that is more *)
  orphans : gauge;  (** which their users have closed; not in TIME-WAIT *)
  time_wait : gauge;  (** [Config.max_time_wait] *)
  accept_queues : gauge;
      (** connections that wait to be accepted: the backlogs of all listeners. Handshakes that were
          under way when a queue filled may pass it. *)
}

type t = {
  memory : gauge;
      (** bytes of all buffers, TCP's and UDP's, and 4 KiB for each connection: [Config.memory] *)
  tcp : tcp;
  udp_sockets : gauge;  (** without a bound: the host's own programs open them *)
  udp_queues : gauge;  (** bytes that sockets have received: the sum of their buffers' sizes *)
  neighbours : gauge;  (** addresses in the neighbour table *)
  neighbour_packets : gauge;  (** packets that wait for a neighbour's address *)
  reassembly : gauge;  (** datagrams of which fragments are missing *)
  reassembly_bytes : gauge;  (** of their fragments, each counting 64 bytes more than its data *)
  control_queue : gauge;  (** packets outside TCP's path that wait to be sent *)
  echo_replies : gauge;  (** which the host's programs have not seen *)
}

val rows : t -> (string * gauge) list
(** [rows t] has each gauge with its name, for people; indented names are parts of the one above. *)
