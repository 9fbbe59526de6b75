(** Reading pcapng files (draft-ietf-opsawg-pcapng): sections in either byte order, interface
    descriptions with their time resolution and offset, enhanced and simple packets. Other blocks
    and options are skipped, including the obsolete packet block. To write captures use {!Pcap}: all
    tools read the older format. *)

type packet = {
  time : Weir_base.Time.t;  (** nanoseconds since 1970; 0 for a packet without a time *)
  off : int;  (** offset of its bytes in the file *)
  captured : int;  (** captured length in bytes *)
  original : int;  (** length on the wire in bytes *)
  link_type : int;  (** 1 is Ethernet *)
}

type t
(** A position in a file. *)

val recognises : Bytes.t -> bool
(** [recognises file] is true if [file] begins like a pcapng file. *)

val start : Bytes.t -> t
(** [start file] is a reader at the start of [file]. [file] must not change while it is used. *)

val next : t -> (packet option, Error.t) result
(** [next t] is the next packet, [None] at the end of the file. The [at] of an error counts from the
    start of the file. After an error, [next] makes no progress. *)

(** {1 Piece by piece}

    For {!Pcap_feed}. *)

val step : t -> (packet option, Error.t) result
(** [step t] is the next block's packet, [None] if it has none. *)

val place : t -> int
(** [place t] is the offset of the next block in the buffer. *)

val wanted : t -> int
(** [wanted t] is how many bytes {!step} needs, or, if the block's length is not yet known, how many
    [wanted] needs to find it. *)

val move : t -> Bytes.t -> unit
(** [move t b] continues at the start of [b], which holds the next bytes of the file. *)
