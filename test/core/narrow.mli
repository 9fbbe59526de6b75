(** A router in the middle of a world's cable whose next link is narrow. *)

open Weir_core

type t = {
  mutable mtu : int;
  mutable silent : bool;  (** what does not fit vanishes *)
  mutable tells : bool;  (** its reports name the MTU (RFC 1191 §4) *)
  mutable dropped : int;
  mutable reports : int;
}

val put : World.t -> mtu:int -> t
(** [put w ~mtu] drops every packet of more than [mtu] bytes that has "don't fragment" set, both
    ways, and reports it to its sender a millisecond later. Other packets pass, as if in fragments.
*)

val report : World.t -> World.host -> Bytes.t -> at:int -> mtu:int -> unit
(** [report w h b ~at ~mtu] gives [h] a report about the packet at [at] in [b]. *)

val quote : ?dont_fragment:bool -> Tcb.t -> seq:Seq.t -> length:int -> Bytes.t
(** [quote c ~seq ~length] is the beginning of a segment of [c] of [length] bytes, with the IP
    header. *)
