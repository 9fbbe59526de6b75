(** SYN cookies (RFC 4987 §3.6): while a flood fills a listener's half-open connections, what must
    be remembered of a SYN goes into the answer's sequence number and timestamp, and comes back with
    the handshake's last ACK.

    The number says when it was made (64 s steps), one of eight segment sizes, and 24 bits that
    nobody can tell without the secret. The timestamp's low bits keep the window scale and whether
    SACK was permitted; a peer without timestamps gets neither. *)

open Weir_wire

val can_keep : Segment.t -> bool
(** [can_keep syn]: no cookie says less than 536 bytes, so one cannot answer a peer that takes less.
*)

val make :
  secret:string ->
  now:Weir_base.Time.t ->
  local:Ip.t ->
  local_port:int ->
  remote:Ip.t ->
  remote_port:int ->
  Segment.t ->
  Seq.t
(** [make … syn] is the sequence number that answers [syn]. *)

val stamp : clock:int -> Segment.t -> int
(** [stamp ~clock syn] is the timestamp that keeps [syn]'s options, not above [clock], or -1 if
    [syn] has none. *)

val check :
  secret:string ->
  now:Weir_base.Time.t ->
  local:Ip.t ->
  local_port:int ->
  remote:Ip.t ->
  remote_port:int ->
  Segment.t ->
  Segment.t option
(** [check … ack] is the SYN that [ack] completes the handshake of, if its number was made here
    within two minutes. *)

val valid_for : Weir_base.Time.t
(** How long after the last cookie was sent an ACK may still answer one. *)
