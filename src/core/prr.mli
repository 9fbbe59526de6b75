(** Proportional rate reduction (RFC 9937): the send rate during a recovery. The bytes in flight
    come down to ssthresh at its end, without a pause or a burst. All sizes are bytes. *)

type t

val create : unit -> t

val start : t -> flight:int -> unit
(** [start t ~flight] begins a recovery. [flight] (RecoverFS, §6.1) is the bytes sent and not known
    to have arrived, before the ACK that starts it. *)

val on_sent : t -> int -> unit
(** [on_sent t n] counts [n] bytes sent, new or retransmitted (prr_out, §6.3). *)

val begins : t -> bool
(** [begins t] is true if nothing was sent since {!start}. *)

val unknown : t -> int
(** [unknown t] is the part of [flight] not known to have arrived. *)

val window : t -> pipe:int -> ssthresh:int -> delivered:int -> safe:bool -> mss:int -> int
(** [window t ~pipe ~ssthresh ~delivered ~safe ~mss] is cwnd after an ACK that delivered [delivered]
    bytes (§6.2), also for the ACK that starts the recovery. While [pipe] is below ssthresh, a
    [safe] ACK (it advanced SND.UNA and showed no new loss) allows one segment more than was
    delivered (PRR-SSRB); any other ACK allows only as much (PRR-CRB). The first segment of a
    recovery is always allowed. *)
