(** What the device of an interface does for TCP segments, so that the core need not. *)

type t = {
  partial : bool;  (** it completes checksums ({!Weir_base.Frame.Partial}) *)
  longest : int;
      (** the longest IP packet, in bytes, that it cuts into segments by itself; 0: it cuts none *)
}

val none : t

val local : t
(** [local] is for packets that stay in the host: they need neither a sum nor cutting. *)
