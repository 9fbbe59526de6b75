(* The wire's TCP header under a name that does not clash with [Tcp] here. *)

include Weir_wire.Tcp
