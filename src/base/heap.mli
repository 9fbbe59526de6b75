(** A binary min-heap of values under integer keys; equal keys leave in the order they came, so that
    a run is a function of its inputs alone. *)

type 'a t

val create : unit -> 'a t
val length : 'a t -> int
val is_empty : 'a t -> bool

val add : 'a t -> key:int -> 'a -> unit
(** [add h ~key x] puts [x] in. Amortised O(log n). *)

val min_key : 'a t -> int
(** [min_key h] is the smallest key, [max_int] if [h] is empty. *)

val pop : 'a t -> 'a option
(** [pop h] takes out the value under the smallest key. *)

val clear : 'a t -> unit
