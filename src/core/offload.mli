(** The TCP offloads of an interface's device. *)

type t = {
  partial : bool;  (** the device completes checksums ({!Weir_base.Frame.Partial}) *)
  longest : int;
      (** the longest IP packet, in bytes, that the device cuts into segments; 0 if it cuts none *)
  gathers : bool;  (** the data of such a packet may be a {!Weir_base.Frame.set_tail} *)
}

type by_family = { v4 : t; v6 : t }

val none : t

val local : t
(** [local] is for packets that stay in the host: they need neither checksum nor segmentation. *)

val both : t -> by_family
(** [both o] is [o] for IPv4 and for IPv6. *)

val of_family : by_family -> Weir_wire.Ip.t -> t
(** [of_family o a] is that of [a]'s family. *)
