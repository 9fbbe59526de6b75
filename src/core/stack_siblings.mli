(** Packets that {!Stack} hands to another host of its address, by the rules of {!Siblings}. A host
    without siblings hands on nothing. *)

val set : Stack_state.t -> Siblings.t -> unit
(** [set t s] is {!Stack.set_siblings}: from then on TCP and UDP hand on the packet at hand if they
    know no receiver for it. *)

val hand_to_all : Stack_state.t -> Weir_wire.Packet.t -> verified:bool -> unit
(** [hand_to_all t p ~verified] gives a copy of [p] to all siblings, unless [p] came from one of
    them. [verified]: its transport checksum is right. *)
