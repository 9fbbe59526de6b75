(** Capture files. Written are classic pcap files with nanosecond times (magic 0xa1b23c4d, little
    endian, Ethernet); read are classic ones of either resolution and byte order, and pcapng
    ({!Pcapng}).

    Nothing here opens a file: what is written is bytes to append, what is read is the whole file in
    memory, of which no part is copied. *)

(** {1 Writing} *)

val header : snaplen:int -> string
(** [header ~snaplen] is the 24 bytes that begin a file whose packets are cut to [snaplen] bytes. *)

val record_header_length : int
(** 16 bytes. *)

val record_header :
  time:Weir_base.Time.t -> captured:int -> original:int -> Bytes.t -> off:int -> unit
(** [record_header ~time ~captured ~original b ~off] writes at [off] what stands before a packet of
    [original] bytes of which the first [captured] follow. [time] is in nanoseconds since 1970, from
    0 to the year 2106. Needs [record_header_length] bytes. *)

(** {1 Reading} *)

type packet = Pcapng.packet = {
  time : Weir_base.Time.t;  (** nanoseconds since 1970 *)
  off : int;  (** where its bytes begin in the file *)
  captured : int;  (** how many bytes of it are there *)
  original : int;  (** how many it had on the wire *)
  link_type : int;  (** {!ethernet} or another of the registry's numbers *)
}

val ethernet : int
(** 1 *)

type reader
(** A place in a file. *)

val reader : Bytes.t -> (reader, Error.t) result
(** [reader file] is at the first packet of [file], which must not be changed while the reader is
    used. *)

val next : reader -> (packet option, Error.t) result
(** [next r] is the next packet, [None] at the end of the file. The [at] of an error counts from the
    start of the file; after one, [next] does not go on. *)

val fold : ('a -> packet -> 'a) -> 'a -> Bytes.t -> ('a, Error.t) result
(** [fold f a file] is [f] applied to each packet in turn; an error if any of [file] is malformed.
*)

(** {1 Reading piece by piece}

    What {!Pcap_feed} is made of. *)

val wanted_header : Bytes.t -> int
(** [wanted_header b] is how many bytes {!reader} must have, of a file that begins with [b]. *)

val step : reader -> (packet option, Error.t) result
(** [step r] is {!next} for one block: [None] if it has no packet. *)

val place : reader -> int
(** [place r] is where the next record or block begins. *)

val wanted : reader -> int
(** [wanted r] is how many bytes from {!place} on must be there for {!step} to have all of its
    record or block, or for [wanted] to know better. *)

val move : reader -> Bytes.t -> unit
(** [move r b] goes on at the start of [b], as if [b] were what follows in the file. *)
