(** The use of every bounded resource of a host, as counted by {!Stack.usage}. The bounds keep peers
    from making a host grow without limit. *)

type gauge = { used : int; limit : int  (** the bound on [used]; [max_int] if there is none *) }

type tcp = {
  connections : gauge;
      (** in all states but CLOSED: [Config.max_connections]. The next four add up to it; those
          without a bound of their own have this one. *)
  open_ : gauge;  (** held by their users, or to be accepted *)
  half_open : gauge;
      (** of listeners, in SYN-RECEIVED: for each listener its backlog, or [Config.max_half_open] if
          that is more *)
  orphans : gauge;  (** closed by their users; not in TIME-WAIT *)
  time_wait : gauge;  (** [Config.max_time_wait] *)
  accept_queues : gauge;
      (** connections that wait to be accepted; the limit is the sum of the listeners' backlogs.
          Handshakes in progress when a queue fills may exceed it. *)
}

type t = {
  memory : gauge;
      (** bytes of all buffers, TCP's and UDP's, and 4 KiB for each connection: [Config.memory] *)
  tcp : tcp;
  udp_sockets : gauge;  (** no bound: only the host's own programs open them *)
  udp_queues : gauge;  (** bytes that sockets have received: the sum of their buffers' sizes *)
  neighbours : gauge;  (** addresses in the neighbour table *)
  neighbour_packets : gauge;  (** packets that wait for a neighbour's address *)
  reassembly : gauge;  (** datagrams of which fragments are missing *)
  reassembly_bytes : gauge;  (** bytes of their fragments, each with 64 bytes of overhead *)
  paths : gauge;  (** destinations whose path is narrower than the link: {!Paths.most} *)
  control_queue : gauge;  (** packets outside TCP's path that wait to be sent *)
  echo_replies : gauge;  (** not yet read by the host's programs *)
}

val rows : t -> (string * gauge) list
(** [rows t] is each gauge with a readable name; indented names are parts of the one above. *)
