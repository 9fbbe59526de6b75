(** A min-heap of values with integer keys. Values with equal keys leave in insertion order, so that
    the result is deterministic. Keys and values are stored apart, so an operation reads no value
    but the one that it adds or removes. *)

type 'a t

val create : ?moved:('a -> int -> unit) -> unit -> 'a t
(** [create ~moved ()] is empty. [moved x slot] is called when {!add} has put [x] into [slot], where
    it stays, and with -1 when {!pop} or {!remove} takes [x] out. A caller that stores [slot] can
    later {!remove} [x]. *)

val length : 'a t -> int
val is_empty : 'a t -> bool

val add : 'a t -> key:int -> 'a -> unit
(** [add h ~key x] adds [x]. Amortised O(log n). *)

val min_key : 'a t -> int
(** [min_key h] is the smallest key, [max_int] if [h] is empty. *)

val pop : 'a t -> 'a option
(** [pop h] removes and returns the value with the smallest key. *)

val remove : 'a t -> int -> unit
(** [remove h slot] removes the value in [slot]. O(log n).
    @raise Invalid_argument unless [slot] is in use. *)

val clear : 'a t -> unit
