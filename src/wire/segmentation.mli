(** Cuts TCP frames into segments and joins segments into frames, as devices with offload do (GSO,
    GRO). *)

open Weir_base

val cut : Frame.pool -> Frame.t -> (Frame.t -> unit) -> bool
(** [cut pool f take] cuts [f] into segments of [segment_size] data bytes and calls [take] with
    each, in order. Each is a frame of [pool] with a full checksum; [take] owns it. Sequence numbers
    and IPv4 identifications increase from segment to segment. FIN and PSH are set in the last
    segment only, CWR in the first only (RFC 3168 §6.1.2). The caller keeps [f]. The result is
    [false], and [take] is not called, if [f] is not a TCP segment over IPv4 or IPv6 (a fragment,
    extension headers, truncated), if its [segment_size] is 0, or if a segment is longer than
    [Frame.size pool]. *)

val join : Frame.t -> Frame.t -> bool
(** [join f g] appends the data of [g] to [f] if [g] can be merged: it is the next segment of the
    same connection; ACK, window and options are equal and no flag but PSH is set (as in Linux's
    GRO); all segments but the last have the same length; both checksums are right; and [f]'s buffer
    has room. Then [f] holds one segment more and is {!Frame.Verified}. Otherwise the result is
    [false] and nothing changes. The caller keeps both. *)
