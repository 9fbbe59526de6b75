(** What goes out: the next packet of {!Control_queue} or {!Tcp}, its route and the frame around it.

    A packet for this host goes to {!Stack_input} and leaves no frame. One whose neighbour is not
    known yet waits in {!Neighbours}; one that is longer than the link's MTU comes back as fragments
    in the control queue. *)

open Weir_base

val transmit : Stack_state.t -> now:Time.t -> Frame.t -> int
(** [transmit] is {!Stack.transmit}. *)

val stays : int
(** Below 0: the packet does not leave by any interface now. *)

val next_length : Stack_state.t -> int
(** [next_length] is {!Stack.next_length}. *)

val nothing_waits : Stack_state.t -> bool
(** [nothing_waits] is {!Stack.nothing_waits}. *)

val undeliverable : Stack_state.t -> now:Time.t -> Bytes.t -> dst:Weir_wire.Ip.t -> unit
(** [undeliverable t ~now frame ~dst] says that the packet in [frame] cannot get to [dst]: to the
    socket or connection that it is of, or, if [t] forwarded it, to its sender. *)
