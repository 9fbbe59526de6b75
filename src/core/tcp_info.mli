(** What an observer sees of a connection: the variables of RFC 9293 §3.3.1, and those of congestion
    control and of timers, at one moment. It shares nothing with the connection. *)

open Weir_base

type recovery =
  | Open  (** no known loss *)
  | Fast_recovery
  | After_timeout  (** the retransmission timer expired (RFC 6298 §5.4) *)

type t = {
  state : Tcb.state;
  local_port : int;
  remote_port : int;
  window : int;  (** cwnd, bytes *)
  threshold : int option;  (** ssthresh; [None] before any loss *)
  in_flight : int;  (** bytes sent, neither acknowledged nor lost: RFC 6675's pipe *)
  peer_window : int;  (** SND.WND *)
  unsent : int;  (** bytes written that were never sent *)
  acknowledged : int;  (** bytes that the peer has acknowledged, its SYN and FIN included *)
  received : int;  (** bytes received in order, the peer's SYN and FIN included *)
  unread : int;  (** bytes that wait for the reader *)
  mss : int;
  srtt : Time.t option;
  rto : Time.t;
  recovery : recovery;
  retransmitted : int;  (** segments *)
  timers : (string * Time.t) list;
      (** those that run, by name, and when they expire: [retransmission], [reordering] and [probe]
          (RFC 8985), [persist], [pacing], [delayed ACK], [keepalive], [end] (TIME-WAIT and others)
      *)
}

val of_connection : Tcb.t -> t
