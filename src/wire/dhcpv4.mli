(** DHCP for IPv4 (RFC 2131) over Ethernet: the fixed part, and options as bytes.

    Options in [sname] and [file] (overload, RFC 2132 §9.3) are decoded too, and the parts of a
    split option are joined (RFC 3396). {!Dhcpv4_options} reads the values. BOOTP messages, which
    have no message type, and other hardware are malformed. *)

(** {v
     0      7 8     15 16    23 24    31
    +--------+--------+--------+--------+
    |   op   |hw = 1  | len = 6|  hops  |
    +--------+--------+--------+--------+
    |                xid                |
    +--------+--------+--------+--------+
    |      secs       |B     flags      |
    +--------+--------+--------+--------+
    |    ciaddr: the client's, in use   |
    +--------+--------+--------+--------+
    |    yiaddr: "your" address         |
    +--------+--------+--------+--------+
    |    siaddr: the next server's      |
    +--------+--------+--------+--------+
    |    giaddr: the relay agent's      |
    +--------+--------+--------+--------+
    |    chaddr: the client's MAC (16)  |
    +--------+--------+--------+--------+
    |    sname: server's name (64)      |
    +--------+--------+--------+--------+
    |    file: boot file's name (128)   |
    +--------+--------+--------+--------+
    |    magic cookie = 63 82 53 63     |
    +--------+--------+--------+--------+
    |  options: code, length, value ... |
    |  end = 255, padding = 0 ...       |
    v} *)

(** Option 53 (RFC 2132 §9.6). Clients send all but [Offer], [Ack] and [Nak]. *)
type kind = Discover | Offer | Request | Decline | Ack | Nak | Release | Inform

val number_of_kind : kind -> int
(** [number_of_kind k] is 1 to 8, in this order. *)

type t = {
  reply : bool;  (** from a server *)
  kind : kind;
  hops : int;  (** 8 bits *)
  xid : int;  (** 32 bits, chosen by the client *)
  secs : int;  (** 16 bits: seconds since the client began *)
  broadcast : bool;  (** the client cannot receive unicast replies yet *)
  ciaddr : Ip.t;
  yiaddr : Ip.t;
  siaddr : Ip.t;
  giaddr : Ip.t;
  chaddr : Mac.t;
  sname : string;  (** at most 64 bytes, without the zeros that follow; [""] if it held options *)
  file : string;  (** at most 128 bytes, likewise *)
  options : (int * string) list;
      (** by code, each once, without the message type (53) and overload (52), in the order in which
          they came *)
  shortest : int;
      (** {!emit} adds zeros after the options up to this length of the message; decoding sets it to
          the length received *)
}

val client_port : int
(** 68 *)

val server_port : int
(** 67 *)

val base : t
(** [base] is a Discover with all fields 0 and without options, padded to 300 bytes, BOOTP's length
    (RFC 1542 §2.1), to be used as [{ base with ... }]. *)

val option : t -> int -> string option
(** [option t code] is the value of that option. *)

val decode : Bytes.t -> off:int -> len:int -> (t, Error.t) result
(** [decode b ~off ~len] is the message at [off] in a UDP payload of [len] bytes. Bytes after the
    end option are ignored; so are the unused bits of the flags.
    @raise Invalid_argument if [off], [len] are not within [b]. *)

val length : t -> int
(** [length t] is how many bytes {!emit} writes. *)

val emit : t -> Bytes.t -> off:int -> unit
(** [emit t b ~off] writes the message at [off]: the message type, then the options, longer ones in
    parts of 255 bytes. It never uses [sname] and [file] for options. Needs [length t] bytes.
    @raise Invalid_argument if [sname] or [file] is too long or [b] too short. *)

val pp : Format.formatter -> t -> unit
(** [pp] prints one line. *)
