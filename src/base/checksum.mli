(** The Internet checksum (RFC 1071).

    Sums are {e partial}: the one's complement sum of big-endian 16-bit words, folded to 16 bits and
    not yet complemented, so that they can be added to each other. An odd last byte counts as the
    high half of a word: only the last of the added pieces may have an odd length. *)

val sum : Bytes.t -> off:int -> len:int -> int
(** [sum b ~off ~len] is the partial sum of [len] bytes of [b] from [off].
    @raise Invalid_argument if they are not within [b]. *)

val blit_sum : Bytes.t -> src_off:int -> Bytes.t -> dst_off:int -> len:int -> int
(** [blit_sum src ~src_off dst ~dst_off ~len] copies [len] bytes and is their partial sum. [src] and
    [dst] must be different values.
    @raise Invalid_argument if either range is not within its bytes. *)

val add : int -> int -> int
(** [add a b] is the partial sum of what [a] and [b] sum. *)

val finish : int -> int
(** [finish s] is the checksum field for partial sum [s]: its one's complement, 0 to 0xffff. Data
    summed together with its right checksum field finishes to 0. *)
