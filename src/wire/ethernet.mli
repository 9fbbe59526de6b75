(** Ethernet II frames, without preamble and frame check sequence. VLAN tags and IEEE 802.2 headers
    are not decoded: only their ethertype is shown. *)

(** {v
     0                 6                12       14
    +--------+--------+--------+--------+--------+
    |   destination   |     source      |ethertyp|
    +--------+--------+--------+--------+--------+
    v} *)

type t = {
  dst : Mac.t;
  src : Mac.t;
  ethertype : int;  (** 16 bits; below 0x600 it is an IEEE 802.3 length *)
}

val ethertype_ipv4 : int
(** 0x0800 *)

val ethertype_arp : int
(** 0x0806 *)

val ethertype_ipv6 : int
(** 0x86dd *)

val decode : Bytes.t -> off:int -> len:int -> (t, Error.t) result
(** [decode b ~off ~len] is the header of the frame of [len] bytes at [off]; its data begin at
    [off + length] and may be followed by padding.
    @raise Invalid_argument if [off], [len] are not within [b]. *)

val length : int
(** The header's length, 14 bytes. *)

val emit : t -> Bytes.t -> off:int -> unit
(** [emit t b ~off] writes the header at [off]. Needs [length] bytes. *)

(** {1 Without a record}

    The same functions without allocation, for code that handles every frame. *)

val get_dst : Bytes.t -> off:int -> Mac.t
val get_ethertype : Bytes.t -> off:int -> int
val write : Bytes.t -> off:int -> dst:Mac.t -> src:Mac.t -> int -> unit
val pp : Format.formatter -> t -> unit
