(** Proportional rate reduction (RFC 6937): how fast to send during a recovery, so that what is in
    flight comes down to ssthresh at its end without a pause or a burst. All sizes are bytes. *)

type t

val create : unit -> t

val start : t -> flight:int -> unit
(** [start t ~flight]: a recovery begins with [flight] bytes in the network (RecoverFS). *)

val on_sent : t -> int -> unit
(** [on_sent t n]: [n] bytes went, new or again (prr_out). *)

val window : t -> pipe:int -> ssthresh:int -> delivered:int -> safe:bool -> mss:int -> int
(** [window t ~pipe ~ssthresh ~delivered ~safe ~mss] is cwnd after an ACK that told of [delivered]
    bytes. Below ssthresh, a [safe] ACK (it moved SND.UNA and showed no new loss) lets one segment
    more go than left (PRR-SSRB), another only as much (PRR-CRB). *)
