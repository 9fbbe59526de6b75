(** SYN cookies (RFC 4987 §3.6). While a flood fills a listener's half-open connections, the state
    of a SYN is encoded in the SYN-ACK's sequence number and timestamp. The handshake's last ACK
    returns it.

    The sequence number holds a time (in 64 s steps), one of eight segment sizes, and 24 bits that
    cannot be predicted without the secret. The timestamp's low bits hold the window scale,
    SACK-permitted and the request for ECN; a peer without timestamps gets none of them. *)

open Weir_wire

val can_keep : Segment.t -> bool
(** [can_keep syn] is true if a cookie can encode [syn]'s MSS. The smallest is 536 bytes. *)

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
(** [stamp ~clock syn] is the timestamp, at most [clock], that encodes [syn]'s options; -1 if [syn]
    has no timestamps option. *)

val check :
  secret:string ->
  now:Weir_base.Time.t ->
  local:Ip.t ->
  local_port:int ->
  remote:Ip.t ->
  remote_port:int ->
  Segment.t ->
  Segment.t option
(** [check … ack] is the SYN whose handshake [ack] completes, rebuilt from the cookie, if the cookie
    is valid and less than two minutes old. *)

val valid_for : Weir_base.Time.t
(** How long after the last cookie was sent an ACK is checked for one. *)
