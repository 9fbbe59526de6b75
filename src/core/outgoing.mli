(** A packet that waits for transmission or for its neighbour's address. *)

type via =
  | Routed  (** an IP packet after space for its Ethernet header, to be routed by [dst] *)
  | On of int  (** a complete frame for the interface of that number *)

type t = {
  frame : Bytes.t;
  frame_len : int;  (** used length of [frame] *)
  dst : Weir_wire.Ip.t;
  via : via;
  checksum : Weir_base.Frame.checksum;
}

val plain : Bytes.t -> len:int -> dst:Weir_wire.Ip.t -> via -> t
(** [plain frame ~len ~dst via] is a packet with a full checksum. *)

val none : t
