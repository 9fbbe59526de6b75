(** Reading pcapng files (draft-ietf-opsawg-pcapng): sections in either byte order, interface
    descriptions with their resolution and offset of time, enhanced and simple packets. Other blocks
    and options are skipped, among them the obsolete packet block. Writing is {!Pcap}'s, in the
    older format, which everything reads. *)

type packet = {
  time : Weir_base.Time.t;  (** nanoseconds since 1970; 0 for a packet without a time *)
  off : int;  (** where its bytes begin in the file *)
  captured : int;  (** how many bytes of it are there *)
  original : int;  (** how many it had on the wire *)
  link_type : int;  (** 1 is Ethernet *)
}

type t
(** A place in a file. *)

val recognises : Bytes.t -> bool
(** [recognises file] says whether [file] begins as a pcapng file does. *)

val start : Bytes.t -> t
(** [start file] is a reader at the start of [file], which must not be changed while it is used. *)

val next : t -> (packet option, Error.t) result
(** [next t] is the next packet, [None] at the end of the file. The [at] of an error counts from the
    start of the file; after one, [next] does not go on. *)

(** {1 Piece by piece}

    For {!Pcap_feed}. *)

val step : t -> (packet option, Error.t) result
(** [step t] is the next block's packet, [None] if it has none. *)

val place : t -> int
(** [place t] is where the next block begins. *)

val wanted : t -> int
(** [wanted t] is how many bytes must be there for {!step} to have the whole block, or for [wanted]
    to know better. *)

val move : t -> Bytes.t -> unit
(** [move t b] goes on at the start of [b]. *)
