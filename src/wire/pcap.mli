(** Capture files. The writer makes classic pcap files with nanosecond times (magic 0xa1b23c4d,
    little endian, Ethernet). The reader accepts classic files of either resolution and byte order,
    and pcapng ({!Pcapng}).

    This module opens no file. The writer returns bytes to append. The reader takes the whole file
    in memory and copies no part of it. *)

(** {1 Writing} *)

val header : snaplen:int -> string
(** [header ~snaplen] is the 24-byte file header of a capture whose packets are cut to [snaplen]
    bytes. *)

val record_header_length : int
(** 16 bytes. *)

val record_header :
  time:Weir_base.Time.t -> captured:int -> original:int -> Bytes.t -> off:int -> unit
(** [record_header ~time ~captured ~original b ~off] writes at [off] the record header of a packet
    of [original] bytes, of which the first [captured] follow. [time] is in nanoseconds since 1970,
    from 0 to the year 2106. Needs [record_header_length] bytes. *)

(** {1 Reading} *)

type packet = Pcapng.packet = {
  time : Weir_base.Time.t;  (** nanoseconds since 1970 *)
  off : int;  (** offset of its bytes in the file *)
  captured : int;  (** captured length in bytes *)
  original : int;  (** length on the wire in bytes *)
  link_type : int;  (** {!ethernet} or another number of the link-type registry *)
}

val ethernet : int
(** 1 *)

type reader
(** A position in a file. *)

val reader : Bytes.t -> (reader, Error.t) result
(** [reader file] is at the first packet of [file]. [file] must not change while the reader is used.
*)

val next : reader -> (packet option, Error.t) result
(** [next r] is the next packet, [None] at the end of the file. The [at] of an error counts from the
    start of the file. After an error, [next] makes no progress. *)

val fold : ('a -> packet -> 'a) -> 'a -> Bytes.t -> ('a, Error.t) result
(** [fold f a file] is [f] applied to each packet in turn; an error if any of [file] is malformed.
*)

(** {1 Reading piece by piece}

    For {!Pcap_feed}. *)

val wanted_header : Bytes.t -> int
(** [wanted_header b] is how many bytes {!reader} needs of a file that begins with [b]. *)

val step : reader -> (packet option, Error.t) result
(** [step r] reads one record or block: its packet, or [None] if it has none. *)

val place : reader -> int
(** [place r] is the offset of the next record or block in the buffer. *)

val wanted : reader -> int
(** [wanted r] is how many bytes {!step} needs from {!place} on. If the length of the record or
    block is not yet known, it is how many bytes [wanted] needs to find it. *)

val move : reader -> Bytes.t -> unit
(** [move r b] continues at the start of [b], which holds the next bytes of the file. *)
