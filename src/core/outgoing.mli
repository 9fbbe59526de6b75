(** A packet that waits: to be transmitted, or for the neighbour that is to get it. *)

type via =
  | Routed  (** an IP packet behind the place of its Ethernet header, to be routed by [dst] *)
  | On of int  (** a whole frame, for the interface of that number *)

type t = {
  frame : Bytes.t;
  frame_len : int;  (** how many bytes of [frame] count *)
  dst : Weir_wire.Ip.t;
  via : via;
  checksum : Weir_base.Frame.checksum;
  segment_size : int;  (** as in {!Weir_base.Frame.t} *)
}

val plain : Bytes.t -> len:int -> dst:Weir_wire.Ip.t -> via -> t
(** [plain frame ~len ~dst via] has a whole checksum, and stands for itself. *)

val none : t
