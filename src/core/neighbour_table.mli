(** The storage under {!Neighbours}: entries hashed by address, those incomplete also in a list by
    age, and the earliest instant at which one is due. It knows no ARP. *)

open Weir_base
open Weir_wire

type state = Incomplete | Reachable | Stale | Probe | Failed_lately

type 'p entry = {
  address : Ip.t;
  key : int;  (** {!Ip.key} *)
  mutable mac : int;  (** -1 unless [Reachable], [Stale] or [Probe] *)
  mutable state : state;  (** changed by {!set_state} *)
  mutable due : Time.t;  (** changed by {!arm} *)
  mutable requests : int;  (** sent since the last answer *)
  mutable asked_at : Time.t;  (** the last one, [min_int] before the first *)
  mutable asked_all : bool;  (** one of them was for all, not for the known MAC *)
  mutable used : bool;  (** looked up since the last answer *)
  mutable stamp : int;  (** grows with each use of any entry *)
  waiting : 'p Queue.t;  (** changed by {!push}, {!drop_one} and {!take_waiting} *)
  mutable next : 'p entry;
  mutable older : 'p entry;
  mutable newer : 'p entry;
}

type 'p t

val create : secret:int -> 'p t
val length : 'p t -> int

val waiting : 'p t -> int
(** [waiting t] is the number of packets in all entries. *)

val find : 'p t -> Ip.t -> 'p entry
(** [find t a] is the entry of [a], or one whose [mac] is -1 and for which {!is_none} holds. *)

val is_none : 'p t -> 'p entry -> bool

val touch : 'p t -> 'p entry -> unit
(** [touch t e] notes that [e] is used. *)

val add : 'p t -> Ip.t -> state -> 'p entry
(** [add t a state] is a new entry; [a] must have none. *)

val remove : 'p t -> 'p entry -> unit
(** [remove t e] forgets [e], for which nothing may wait. *)

val set_state : 'p t -> 'p entry -> state -> unit

val arm : 'p t -> 'p entry -> Time.t -> unit
(** [arm t e due] makes [e] due at [due]. *)

val earliest : 'p t -> Time.t
(** [earliest t] is no later than any entry's [due]. *)

val take_due : 'p t -> now:Time.t -> 'p entry list
(** [take_due t ~now] is the entries due by [now], by instant and address; each must be removed or
    armed again. *)

val push : 'p t -> 'p entry -> 'p -> unit
(** [push t e p] adds [p] to what waits for [e]. *)

val drop_one : 'p t -> 'p entry -> unit
(** [drop_one t e] drops the oldest packet that waits for [e], which has one. *)

val take_waiting : 'p t -> 'p entry -> 'p list
(** [take_waiting t e] is what waited for [e], oldest first. *)

val oldest_incomplete : 'p t -> 'p entry
(** [oldest_incomplete t] is the entry that has been [Incomplete] for the longest, or none. *)

val least_useful : 'p t -> 'p entry
(** [least_useful t] is the failed entry least recently used, or else the least recently used one
    that is not [Incomplete], or none. O(length). *)

val fold : ('p entry -> 'a -> 'a) -> 'p t -> 'a -> 'a
