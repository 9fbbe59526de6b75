(** The settings of a host. All times are nanoseconds, all sizes bytes. *)

type keepalive = {
  idle : int;  (** silence before the first probe *)
  interval : int;  (** between probes *)
  probes : int;  (** unanswered probes until the connection fails *)
}

type user_timeout = {
  limit : int;
      (** the connection fails if sent data stay unacknowledged, or a closed window holds written
          data back, for longer. [retries] does not count then *)
  announced : bool;
      (** the peer is told by RFC 5482's option, and its option can change the limit, from 100 s to
          an hour *)
}

type ecn =
  | Off  (** ECN is neither requested nor accepted *)
  | Accept  (** a connection that a peer opens uses ECN if the peer requests it *)
  | Request  (** ECN is also requested for connections that this host opens *)

type t = {
  send_buffer : int;
      (** bound on a connection's unacknowledged and unsent bytes; the buffer grows up to it with
          the peer's window and cwnd, to 1 MB at most if the round trip is below 2 ms *)
  receive_buffer : int;
      (** bound on a connection's unread bytes and so on its window. The buffer grows while the
          reader keeps up: to 1 MB with what it reads, from there to four times what it reads in a
          round trip, if this lasts 2 ms or more. The round trip is the connection's own estimate,
          from the handshake and the data that it sends. *)
  memory : int;
      (** bound on the storage of all TCP and UDP buffers of the host, plus 4 KiB for each
          connection: see {!Pressure} *)
  rto_initial : int;
  rto_min : int;
  rto_max : int;
  delayed_ack : int;  (** at most 500 ms (RFC 9293 §3.8.6.3) *)
  msl : int;  (** maximum segment lifetime; TIME-WAIT lasts twice this *)
  orphan_timeout : int;  (** how long FIN-WAIT-2 lasts once the user has closed *)
  orphan_lifetime : int;
      (** how long a connection closed by its user may take to send the written bytes; then it is
          reset *)
  syn_retries : int;  (** SYN or SYN-ACK retransmissions before giving up *)
  retries : int;  (** retransmissions of data before giving up *)
  keepalive : keepalive option;  (** for new connections; [None] is off *)
  user_timeout : user_timeout option;  (** for new connections; [None]: by [retries] *)
  nodelay : bool;  (** Nagle's algorithm off in new connections *)
  timestamps : bool;  (** offer RFC 7323 timestamps *)
  sack : bool;
      (** offer selective acknowledgement (RFC 2018). If the peer offers it too, RACK-TLP (RFC 8985)
          detects losses, else duplicate ACKs do (RFC 6582). *)
  ecn : ecn;  (** explicit congestion notification (RFC 3168) *)
  congestion : Congestion.algorithm list;
      (** New connections use the first; the others can be chosen by name, as with TCP_CONGESTION. A
          program adds its own here. Must not be empty. *)
  pacing : bool;  (** spread a window over the round trip: see {!Pacing} *)
  max_connections : int;
      (** in all states. At the limit the oldest TIME-WAIT connection is closed; if there is none,
          SYNs are dropped. *)
  max_half_open : int;
      (** SYN-RECEIVED connections per listener, or its backlog if that is more; at the limit SYN
          cookies are used *)
  max_time_wait : int;
  dad_transmits : int option;
      (** how many times the host asks for a new IPv6 address before it uses the address:
          DupAddrDetectTransmits of RFC 4862 §5.1. With [Some 0] an address is used at once, without
          duplicate address detection, and new addresses of either family are not announced. [None]
          leaves it to the link. The drivers take 1 for devices, as RFC 4862 §5.4 demands: an
          address that another host has too breaks the connections of both, and the test costs a
          second once. They take 0 for links in memory: their ends are programs that were given
          their addresses, and the second would be the longest part of a test. A {!Stack} without a
          driver does not know its link and takes 0. *)
  redirects : bool;
      (** Whether routers may name a better first hop (default [false]): see {!Redirects}. *)
}

val default : t
(** Buffers up to 6 MB, RTO 200 ms to 60 s, delayed ACK 40 ms, MSL 30 s, SACK, ECN for peers that
    request it (Linux's default), CUBIC (Reno and BBR by name), paced, duplicate address detection
    as the link needs it. *)
