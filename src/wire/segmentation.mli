(** Cuts a frame that holds several TCP segments or UDP datagrams into single ones, and joins TCP
    segments, as devices with offloads do. *)

open Weir_base

val cut : Frame.pool -> Frame.t -> (Frame.t -> unit) -> bool
(** [cut pool f take] calls [take] with each segment of [f], in order. A segment has [segment_size]
    bytes of data, the last perhaps fewer. It is a new frame of [pool] with a full checksum, owned
    by [take]. Sequence numbers and IPv4 identifications are counted up; FIN and PSH are set in the
    last segment only, CWR in the first only (RFC 3168 §6.1.2). Data over UDP become one datagram
    for each piece. The caller still owns [f].

    It is [false], and [take] is not called, if [f] is not TCP or UDP over IPv4 or IPv6, is a
    fragment, has IPv6 extension headers or is cut short, if its [segment_size] is 0, or if a
    segment would be longer than [Frame.size pool]. *)

val join : Frame.t -> Frame.t -> bool
(** [join f g] appends the data of the TCP segment [g] to [f]. [f] then holds one segment more and
    is {!Frame.Verified}. The conditions are those of Linux's GRO: [g] is the next segment of the
    same connection; their headers differ otherwise only in lengths, identification and checksums;
    [f] has no flag but ACK, [g] none but ACK and PSH; all segments in [f] have the same length, and
    [g] is not longer; both checksums are right; [f]'s buffer has space. Otherwise it is [false] and
    nothing changes. The caller still owns both frames. *)
