(** Frames that can be told apart, and links driven under virtual time. *)

open Weir_base
open Weir_link

val pool : unit -> Frame.pool

val make : ?dst:int -> ?src:int -> ?len:int -> Frame.pool -> int -> Frame.t
(** [make p id] is a frame that carries [id], [len] bytes long (default 64, at least 22), between
    two MAC addresses (broadcast to host 1 unless given). *)

val id : Frame.t -> int
(** [id f] is what {!make} put in. *)

val send : #Weir_link.Link.t -> now:Weir_base.Time.t -> Weir_link.Frame.t -> unit
(** [send l ~now f] is a run of one frame: it is sent, and flushed. *)

val drain : now:Time.t -> Link.t -> int list
(** [drain ~now l] receives and releases all there is; the ids in order. *)

val until_idle : ?from:Time.t -> Link.t list -> (Time.t -> unit) -> Time.t
(** [until_idle links f] calls [f now] at each deadline of any of [links], in order, until there is
    none; the time of the last one. Fails if a deadline does not move on. *)

val all_released : (Frame.pool -> unit) -> unit
(** [all_released f] is [f pool], and fails unless every frame of [pool] that [f] took was released
    exactly once. *)
