(** A packet of a capture, decoded. *)

type t = {
  number : int;  (** from 1, in the order of the capture *)
  time : Weir_base.Time.t;  (** nanoseconds since 1970 *)
  link_type : int;  (** {!Weir_wire.Pcap.ethernet}, {!raw_ip} or another, which is not decoded *)
  captured : int;  (** bytes in the capture *)
  original : int;  (** bytes on the wire *)
  data : Bytes.t;  (** holds the packet, borrowed *)
  decoded : Weir_wire.Layers.t;  (** with the sequence numbers of the wire *)
  shown : Weir_wire.Layers.t;  (** with relative sequence numbers, or [decoded] itself *)
  stream : Conversations.seen option;  (** of TCP *)
}

val make : Conversations.t -> absolute:bool -> number:int -> Bytes.t -> Weir_wire.Pcap.packet -> t
(** [make conversations ~absolute ~number data packet] decodes the packet, which is
    [packet.captured] bytes of [data] at [packet.off], and calls {!Conversations.see}. With
    [absolute], [shown] is [decoded]. *)

val raw_ip : int
(** 101: packets without a link header. *)

val pp : Format.formatter -> t -> unit
(** [pp] prints [shown] as {!Weir_wire.Dump} does; for an unknown link, its type and length. *)
