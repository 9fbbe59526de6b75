(** Frames that nobody sent: whole ones with right checksums, and garbage. *)

open Weir_core

val tcp : World.host -> src:Weir_wire.Ip.t -> ?data:string -> Weir_wire.Tcp.t -> Bytes.t -> int
(** [tcp h ~src segment b] writes a frame for [h] with [segment], from [src], into [b]: its length.
*)

val ip : World.host -> src:Weir_wire.Ip.t -> protocol:int -> int -> Bytes.t -> int
(** [ip h ~src ~protocol n b] makes a frame for [h] of [b], which holds the [n] bytes that the
    packet carries from byte 34 on: its length. *)

val aimed : Random.State.t -> World.host -> Tcb.t -> Bytes.t -> int
(** [aimed random h c b] is a segment for connection [c] of [h], its numbers near the right ones,
    any flags, that must change nothing: its ACK lies, or it has none, or nothing of it is in the
    window; a RST is not exact. *)

val packet : Random.State.t -> World.host -> Tcb.t -> Bytes.t -> int
(** [packet random h c b] is a good IP header with a random payload: UDP, ICMP with the right
    checksum (an error quotes a segment of [c]), other protocols; often a fragment. *)

val garbage : Random.State.t -> World.host -> (Bytes.t * int) array -> Bytes.t -> int
(** [garbage random h real b] is random bytes, or one of [real] with some changed. An ARP packet
    does not speak for another host of the world. *)
