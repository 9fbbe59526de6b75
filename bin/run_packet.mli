(** Whose packet a frame is. *)

type t = {
  way : Run_scope.way;
  udp : bool;  (** else TCP *)
  local : Ipaddr.t * int;  (** the program's *)
  remote : Ipaddr.t * int;
}

val read : Run_scope.way -> Weir_link.Frame.t -> t option
(** [read way f] is [None] if [f] is of neither TCP nor UDP. Later fragments have no ports: theirs
    are 0. *)

type segment = { syn : bool; ack : int option; fin : bool; rst : bool; seq : int; length : int }
(** Of TCP; [length] is that of its data. *)

val segment : Weir_link.Frame.t -> segment option

val datagram_length : Weir_link.Frame.t -> int
(** [datagram_length f] is the bytes of data in [f], of UDP. *)

type key = bool * int * Ipaddr.t * int
(** A connection, or a pair of UDP addresses: whether UDP, the program's port, the other address and
    port. *)

val key : t -> key

val is_control : Weir_link.Frame.t -> bool
(** [is_control f] is true of what hosts tell each other to find each other, such as ARP, neighbour
    discovery and multicast listeners' reports: none of the program's packets. *)
