(** Proportional rate reduction (RFC 9937): how fast to send during a recovery, so that what is in
    flight comes down to ssthresh at its end without a pause or a burst. All sizes are bytes. *)

type t

val create : unit -> t

val start : t -> flight:int -> unit
(** [start t ~flight]: a recovery begins; [flight] (RecoverFS, §6.1) is what was sent and not known
    to have arrived before the ACK that starts it. *)

val on_sent : t -> int -> unit
(** [on_sent t n]: [n] bytes went, new or again (prr_out, §6.3). *)

val begins : t -> bool
(** [begins t]: nothing has gone since {!start}. *)

val unknown : t -> int
(** [unknown t] is how much of [flight] is not known to have arrived. *)

val window : t -> pipe:int -> ssthresh:int -> delivered:int -> safe:bool -> mss:int -> int
(** [window t ~pipe ~ssthresh ~delivered ~safe ~mss] is cwnd after an ACK that told of [delivered]
    bytes (§6.2), the one that starts the recovery included. Below ssthresh, a [safe] ACK (it moved
    SND.UNA and showed no new loss) lets one segment more go than arrived (PRR-SSRB), another only
    as much (PRR-CRB). One segment may go in any case as long as none has. *)
