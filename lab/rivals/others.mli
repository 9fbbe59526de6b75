(** The studies' null and data devices as records of closures, and as [Eio.Flow]. *)

(** {1 A record of closures} *)

type closures = {
  read_into : Bytes.t -> off:int -> len:int -> int;
  write : Bytes.t -> off:int -> len:int -> unit;
  close : unit -> unit;
}

val null : closures
val data : unit -> closures
val copy : Bytes.t -> closures -> unit

(** {1 Eio} *)

type eio = {
  source : Eio.Flow.source_ty Eio.Resource.t;
  sink : Eio.Flow.sink_ty Eio.Resource.t;
  check : unit -> unit;
}

val eio_null : eio
val eio_data : unit -> eio

val eio_copy : eio -> unit
(** [Eio.Flow.copy]. *)
