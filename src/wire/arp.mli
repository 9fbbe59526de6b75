(** ARP (RFC 826) requests and replies for IPv4 over Ethernet. Other hardware, protocols and
    operations (RARP, InARP) are decoded as malformed. *)

(** {v
     0      7 8     15 16    23 24    31
    +--------+--------+--------+--------+
    |  hardware = 1   |protocol = 0x0800|
    +--------+--------+--------+--------+
    | hw = 6 | pr = 4 |    operation    |
    +--------+--------+--------+--------+
    |        sender MAC (6)    +--------+
    |                 |  sender IP (4)  |
    +--------+--------+--------+--------+
    |                 |  target MAC (6) |
    +--------+--------+--------+--------+
    |                                   |
    +--------+--------+--------+--------+
    |           target IP (4)           |
    +--------+--------+--------+--------+
    v} *)

type operation = Request | Reply

type t = {
  operation : operation;
  sender_mac : Mac.t;
  sender_ip : Ip.t;
  target_mac : Mac.t;  (** has no meaning in a request; senders write 0 *)
  target_ip : Ip.t;
}

val decode : Bytes.t -> off:int -> len:int -> (t, Error.t) result
(** [decode b ~off ~len] is the packet at [off] in an Ethernet payload of [len] bytes. Padding after
    it is ignored.
    @raise Invalid_argument if [off] and [len] are out of bounds. *)

val length : int
(** The packet's length, 28 bytes. *)

val emit : t -> Bytes.t -> off:int -> unit
(** [emit t b ~off] writes the packet at [off]. Needs [length] bytes. *)

val pp : Format.formatter -> t -> unit
