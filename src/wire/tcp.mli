(** TCP headers (RFC 9293 §3.1) with the options maximum segment size, window scale and timestamps
    (RFC 7323), and selective acknowledgement (RFC 2018). Unknown options and the reserved bits are
    ignored.

    Options are written in the order and with the padding that Linux uses, so a header from Linux
    that is decoded and emitted again keeps its bytes. The bytes change if the header had other
    padding or order, unknown options, a shift above 14, reserved bits, or a nonzero acknowledgement
    number or urgent pointer without its flag. *)

(** {v
     0      7 8     15 16    23 24    31
    +--------+--------+--------+--------+
    |   source port   |destination port |
    +--------+--------+--------+--------+
    |          sequence number          |
    +--------+--------+--------+--------+
    |      acknowledgement number       |
    +----+---+--------+--------+--------+
    |hlen|res| flags  |     window      |
    +----+---+--------+--------+--------+
    |    checksum     | urgent pointer  |
    +--------+--------+--------+--------+
    |    options (0 to 40 bytes) ...    |
    v} *)

type t = {
  mutable src_port : int;  (** 1 to 65535 *)
  mutable dst_port : int;  (** 1 to 65535 *)
  mutable seq : int;  (** 0 to 0xffff_ffff *)
  mutable ack : int;  (** 0 to 0xffff_ffff; -1 if the ACK flag is off *)
  mutable syn : bool;
  mutable fin : bool;
  mutable rst : bool;
  mutable psh : bool;
  mutable urgent : int;  (** 16 bits; -1 if the URG flag is off *)
  mutable ece : bool;
  mutable cwr : bool;
  mutable window : int;  (** 16 bits, not yet scaled *)
  mutable mss : int;  (** 16 bits; -1 if there is no such option *)
  mutable window_scale : int;
      (** 0 to 14; -1 if there is no such option; a larger shift is decoded as 14 (RFC 7323 §2.3) *)
  mutable sack_permitted : bool;
  mutable sacks : (int * int) list;
      (** left and right edges (the first sequence number in a block, and the one after it), at most
          4, in the order of the header *)
  mutable ts_val : int;  (** 0 to 0xffff_ffff; -1 if there is no timestamps option *)
  mutable ts_ecr : int;  (** 0 to 0xffff_ffff; 0 if there is no timestamps option *)
  mutable user_timeout : int;
      (** the user timeout option's 16 bits (RFC 5482 §3), for {!user_timeout_seconds}; -1 if there
          is no such option *)
  mutable header_length : int;
      (** set by decoding; {!length} and {!emit} use the other fields instead *)
  mutable data_length : int;  (** bytes that follow the header *)
}

val base : t
(** [base] is a header of zeros without flags, options or data, to be used as [{ base with ... }].
    It must not be modified. *)

val create : unit -> t
(** [create ()] is a copy of {!base} for {!read} to fill, once per segment. *)

val read : t -> pseudo:int -> Bytes.t -> off:int -> len:int -> (unit, Error.t) result
(** [read t ~pseudo b ~off ~len] is {!decode} into [t]. After an error [t] is unchanged. It
    allocates only SACK blocks. *)

val shortest : int
(** The length of a header without options, 20 bytes. *)

val decode : pseudo:int -> Bytes.t -> off:int -> len:int -> (t, Error.t) result
(** [decode ~pseudo b ~off ~len] is the header of the segment of [len] bytes at [off] (an IP
    payload); its data begin at [off + header_length]. [pseudo] is {!Ip.pseudo_sum} for [len] bytes;
    a negative [pseudo] means that the checksum was verified elsewhere. These are malformed too:
    port 0, an option that is shorter than 2 bytes or ends beyond the header, and a known option of
    the wrong length.
    @raise Invalid_argument if [off], [len] are not within [b]. *)

val length : t -> int
(** [length t] is the header's length as {!emit} writes it, 20 to 60 bytes, a multiple of 4. If the
    SACK blocks do not fit into the 40 bytes of options, the last ones are left out. *)

val emit : t -> pseudo:int -> data_sum:int -> Bytes.t -> off:int -> unit
(** [emit t ~pseudo ~data_sum b ~off] writes the header at [off], checksum included. [pseudo] is
    {!Ip.pseudo_sum} for [length t + t.data_length] bytes, [data_sum] the {!Weir_base.Checksum}
    partial sum of the data; the data need not be at [off + length t] yet. With a negative
    [data_sum] the field holds [pseudo] and the link completes the checksum. Needs [length t] bytes.
*)

val emit_header : t -> length:int -> pseudo:int -> data_sum:int -> Bytes.t -> off:int -> unit
(** [emit_header t ~length …] is {!emit}, where [length] must be {!length}[ t]. *)

val user_timeout_seconds : int -> int
(** [user_timeout_seconds raw] is the timeout in seconds that the field {!t.user_timeout} encodes.
*)

val user_timeout_of_seconds : int -> int
(** [user_timeout_of_seconds s] is the option for [s] seconds, rounded down to minutes from 32,768
    seconds on; at least 1 second, at most 32,767 minutes. *)

val pp_flags : Format.formatter -> t -> unit
(** [pp_flags] prints the flags as tcpdump does: [S.] is SYN with ACK, [.] ACK alone, [none] none.
*)

val pp_segment : Format.formatter -> t -> unit
(** [pp_segment] is {!pp} without the ports. *)

val pp : Format.formatter -> t -> unit
