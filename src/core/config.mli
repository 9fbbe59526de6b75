(** What a host's owner may choose. All times are nanoseconds, all sizes bytes. *)

type keepalive = {
  idle : int;  (** silence before the first probe *)
  interval : int;  (** between probes *)
  probes : int;  (** unanswered ones before the connection is given up *)
}

type t = {
  send_buffer : int;
      (** bound on a connection's unacknowledged and unsent bytes; the buffer grows up to it as the
          peer's window and cwnd do *)
  receive_buffer : int;
      (** bound on a connection's unread bytes; the window comes from the buffer, which grows up to
          this as its reader keeps up *)
  memory : int;
      (** bound on all buffers of the host, TCP's and UDP's, in bytes of storage, with 4 KiB for
          each connection: see {!Pressure} *)
  rto_initial : int;
  rto_min : int;
  rto_max : int;
  delayed_ack : int;  (** at most 500 ms (RFC 9293 §3.8.6.3) *)
  msl : int;  (** maximum segment lifetime; TIME-WAIT lasts twice this *)
  orphan_timeout : int;  (** how long FIN-WAIT-2 lasts once the user has closed *)
  orphan_lifetime : int;
      (** how long a connection may take to get rid of what was written once the user has closed;
          then it is reset *)
  syn_retries : int;  (** SYN or SYN-ACK retransmissions before giving up *)
  retries : int;  (** retransmissions of data before giving up *)
  keepalive : keepalive option;  (** for new connections; [None] is off *)
  nodelay : bool;  (** Nagle's algorithm off in new connections *)
  timestamps : bool;  (** offer RFC 7323 timestamps *)
  sack : bool;
      (** offer selective acknowledgement (RFC 2018); with a peer that does too, losses are found by
          RACK-TLP (RFC 8985), else by duplicate ACKs (RFC 6582) *)
  congestion : Congestion.algorithm list;
      (** new connections go by the first; the others can be chosen by name, as by TCP_CONGESTION. A
          program adds its own here. Not empty. *)
  max_connections : int;  (** in all states; beyond, the oldest TIME-WAIT ones go, then SYNs *)
  max_half_open : int;
      (** SYN-RECEIVED per listener, or its backlog if that is more; beyond, SYN cookies *)
  max_time_wait : int;
}

val default : t
(** 1 MB buffers, RTO 200 ms to 60 s, delayed ACK 40 ms, MSL 30 s, SACK, CUBIC (and Reno by name).
*)
