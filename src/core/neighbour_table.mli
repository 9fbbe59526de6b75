(** The table of {!Neighbours}: entries hashed by address, a list of incomplete entries by age, and
    the earliest instant at which an entry is due. It knows nothing of ARP. *)

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
  mutable asked_at : Time.t;  (** time of the last request, [min_int] before the first *)
  mutable asked_all : bool;  (** a request was broadcast, not sent to the known MAC *)
  mutable used : bool;  (** looked up since the last answer *)
  mutable stamp : int;  (** time of last use, in uses of all entries *)
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
(** [find t a] is the entry of [a], or the "no entry" value: its [mac] is -1 and {!is_none} is true.
*)

val is_none : 'p t -> 'p entry -> bool

val touch : 'p t -> 'p entry -> unit
(** [touch t e] marks [e] as used now. *)

val add : 'p t -> Ip.t -> state -> 'p entry
(** [add t a state] is a new entry; [a] must have none. *)

val remove : 'p t -> 'p entry -> unit
(** [remove t e] removes [e]. No packet may wait for it. *)

val set_state : 'p t -> 'p entry -> state -> unit

val arm : 'p t -> 'p entry -> Time.t -> unit
(** [arm t e due] makes [e] due at [due]. *)

val earliest : 'p t -> Time.t
(** [earliest t] is no later than any entry's [due]. *)

val take_due : 'p t -> now:Time.t -> 'p entry list
(** [take_due t ~now] is the entries due by [now], in order of instant and address. The caller must
    remove or {!arm} each. *)

val push : 'p t -> 'p entry -> 'p -> unit
(** [push t e p] adds [p] to the packets that wait for [e]. *)

val drop_one : 'p t -> 'p entry -> unit
(** [drop_one t e] drops the oldest packet that waits for [e]; there must be one. *)

val take_waiting : 'p t -> 'p entry -> 'p list
(** [take_waiting t e] removes and returns the packets that wait for [e], oldest first. *)

val oldest_incomplete : 'p t -> 'p entry
(** [oldest_incomplete t] is the entry that has been [Incomplete] longest, or the "no entry" value.
*)

val least_useful : 'p t -> 'p entry
(** [least_useful t] is the least recently used failed entry; else the least recently used entry
    that is not [Incomplete]; else the "no entry" value. O(length). *)

val fold : ('p entry -> 'a -> 'a) -> 'p t -> 'a -> 'a
