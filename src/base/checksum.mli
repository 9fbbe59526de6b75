(** The Internet checksum (RFC 1071).

    Sums are {e partial}: the one's complement sum of big-endian 16-bit words, folded to 16 bits and
    not yet complemented. Partial sums can be added. An odd last byte is the high half of a word, so
    only the last of the added parts may have an odd length. *)

val sum : Bytes.t -> off:int -> len:int -> int
(** [sum b ~off ~len] is the partial sum of [len] bytes of [b] from [off].
    @raise Invalid_argument if they are not within [b]. *)

val blit_sum : Bytes.t -> src_off:int -> Bytes.t -> dst_off:int -> len:int -> int
(** [blit_sum src ~src_off dst ~dst_off ~len] copies [len] bytes and returns their partial sum.
    [src] and [dst] must be different buffers.
    @raise Invalid_argument if either range is out of bounds. *)

val add : int -> int -> int
(** [add a b] is the partial sum of the data of [a] followed by the data of [b]. *)

val finish : int -> int
(** [finish s] is the checksum field for the partial sum [s]: its one's complement, 0 to 0xffff. The
    sum of data that include their correct checksum field finishes to 0. *)
