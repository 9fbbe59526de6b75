(** UDP (RFC 768). A zero checksum means that the sender computed none; it is accepted over IPv4
    only.

    This file is the template for every format in this folder: a drawing of the header, [t],
    [decode], [length], [emit], [pp], in this order. *)

(** {v
     0      7 8     15 16    23 24    31
    +--------+--------+--------+--------+
    |   source port   |destination port |
    +--------+--------+--------+--------+
    |     length      |    checksum     |
    +--------+--------+--------+--------+
    v} *)

type t = {
  src_port : int;
  dst_port : int;  (** 1 to 65535 *)
  data_length : int;  (** bytes that follow the header *)
  checksummed : bool;  (** whether the datagram has a checksum *)
}

val length : int
(** The header's length, 8 bytes. *)

val decode : pseudo:int -> Bytes.t -> off:int -> len:int -> (t, Error.t) result
(** [decode ~pseudo b ~off ~len] is the header at [off] of an IP payload of [len] bytes; its data
    begin at [off + length]. [pseudo] is {!Ip.pseudo_sum} for [len] bytes; a negative [pseudo] means
    that the checksum was verified elsewhere. Bytes after the datagram's own length are ignored.
    @raise Invalid_argument if [off], [len] are not within [b]. *)

val emit : t -> pseudo:int -> Bytes.t -> off:int -> unit
(** [emit t ~pseudo b ~off] writes the header at [off], with the checksum of header and data. The
    data must already be at [off + length]. [pseudo] is {!Ip.pseudo_sum} for
    [length + t.data_length] bytes. Needs [length] bytes. *)

val pp : Format.formatter -> t -> unit
