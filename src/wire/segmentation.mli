(** Frames that stand for many TCP segments or UDP datagrams, cut and joined as devices with offload
    do. *)

open Weir_base

val cut : Frame.pool -> Frame.t -> (Frame.t -> unit) -> bool
(** [cut pool f take] calls [take] with each segment of [f], which [segment_size] says how to cut,
    in order: a frame of [pool] with a checksum, now owned by [take]. Sequence numbers and IPv4
    identifications count on; FIN and PSH are in the last only, CWR in the first (RFC 3168 §6.1.2).
    Of a UDP datagram each piece is a datagram, the last perhaps shorter. [f] stays the caller's.
    [false], and no call, if [f] is neither over IPv4 or IPv6 (a fragment, extension headers, cut
    short), its [segment_size] is 0, or a segment is longer than [Frame.size pool]. *)

val join : Frame.t -> Frame.t -> bool
(** [join f g], of TCP segments, appends [g]'s data to [f], which then stands for one segment more
    and is {!Frame.Verified}, if [g] is the next segment of [f]'s connection, the headers tell
    nothing else new (as Linux's GRO has it: equal ACK, window and options, no flag but PSH), all
    but the last have the same length, both checksums are right, and [f]'s buffer has room. [false],
    and nothing is changed, if not. Both stay the caller's. *)
