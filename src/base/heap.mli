(** A binary min-heap of values under integer keys; equal keys leave in the order they came, so that
    a run is a function of its inputs alone. *)

type 'a t

val create : ?moved:('a -> int -> unit) -> unit -> 'a t
(** [create ~moved ()] is empty. [moved x slot] is called whenever [x] has come to stand in [slot],
    with -1 when it has left by {!pop} or {!remove}: an owner that keeps the number can {!remove}
    [x]. *)

val length : 'a t -> int
val is_empty : 'a t -> bool

val add : 'a t -> key:int -> 'a -> unit
(** [add h ~key x] puts [x] in. Amortised O(log n). *)

val min_key : 'a t -> int
(** [min_key h] is the smallest key, [max_int] if [h] is empty. *)

val pop : 'a t -> 'a option
(** [pop h] takes out the value under the smallest key. *)

val remove : 'a t -> int -> unit
(** [remove h slot] takes out what stands in [slot]. O(log n).
    @raise Invalid_argument unless [slot] is in use. *)

val clear : 'a t -> unit
