(** Standard descriptors that are closed: the next file to be opened, be it a TAP device, would take
    their place and be sent what is printed. *)

val occupied : bool
(** True: since this module was initialised each standard descriptor is taken; one that was closed
    gives the errors of a closed one. *)
