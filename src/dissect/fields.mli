(** What can be asked of a packet, by name: for filters, and for output that programs read. Names
    are Wireshark's where it has the field, in the shortest form it accepts. *)

type value =
  | Number of int
  | Flag of bool
  | Address of Weir_wire.Ip.t
  | Mac of Weir_wire.Mac.t
  | Text of string

type kind =
  | Numbers of (string * int) list  (** some have names, as ICMP's types *)
  | Flags
  | Addresses
  | Macs
  | Texts

type arity =
  | One  (** at most one value *)
  | Either  (** the source's and the destination's: [tcp.port] *)
  | Many  (** any number of values *)

type t = {
  name : string;  (** as [tcp.seq]: the protocol's name and the field's *)
  kind : kind;  (** of all its values *)
  arity : arity;
  about : string;  (** one line *)
  get : Dissection.t -> value list;  (** none if the packet has no such field *)
}

val all : t list
(** In the order of a packet: frame, Ethernet, ARP, IP, ICMP, UDP, TCP. *)

val find : string -> t option
(** [find name] is the field of that name, or of that other name which Wireshark has for it, as
    [tcp.flags.reset] for [tcp.rst]. *)

type protocol = { protocol : string; holds : Weir_wire.Layers.t -> bool }

val protocols : protocol list
(** [ip], [arp], [icmp], [udp], [tcp] and [fragment]: whether the packet has such a header, decoded
    or not. *)
