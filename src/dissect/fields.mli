(** The fields of packets, by name: for filters and JSON output. Where Wireshark has the field, the
    name is Wireshark's shortest. *)

type value =
  | Number of int
  | Flag of bool
  | Address of Weir_wire.Ip.t
  | Mac of Weir_wire.Mac.t
  | Text of string

type kind =
  | Numbers of (string * int) list  (** some values have names, such as ICMP types *)
  | Flags
  | Addresses
  | Macs
  | Texts

type arity =
  | One  (** at most one value *)
  | Either  (** the values of source and destination, as in [tcp.port] *)
  | Many  (** any number of values *)

type t = {
  name : string;  (** protocol and field, such as [tcp.seq] *)
  kind : kind;  (** of all its values *)
  arity : arity;
  about : string;  (** one line *)
  get : Dissection.t -> value list;  (** empty if the packet lacks the field *)
}

val all : t list
(** In the order of a packet: frame, Ethernet, ARP, IP, ICMP, UDP, TCP. *)

val find : string -> t option
(** [find name] is the field with that name, or with that longer name in Wireshark, such as
    [tcp.flags.reset] for [tcp.rst]. *)

type protocol = { protocol : string; holds : Weir_wire.Layers.t -> bool }

val protocols : protocol list
(** [ip], [ip6], [arp], [icmp], [icmp6], [udp], [tcp] and [fragment]. A packet whose header cannot
    be decoded counts too. *)
