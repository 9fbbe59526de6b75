(** Queues by which hosts with one address, each in its own domain, hand packets to each other, by
    the rules of {!Weir_core.Siblings}. The hosts share nothing else. No call waits or takes a lock.
*)

type t

val create : count:int -> t
(** [create ~count] is for [count] hosts.
    @raise Invalid_argument if [count] is not between 1 and {!most}. *)

val most : int
(** 64. *)

type seat
(** One host's place. *)

val seat : t -> int -> seat
(** [seat t i] is the place of host [i], from 0. Any domain may call it. Each host must have a seat
    of its own. *)

val siblings : seat -> Weir_core.Siblings.t
(** [siblings s] hands packets to the others. At most {!longest} wait for a host. *)

val longest : int
(** 1,024 packets. *)

val set_wake : seat -> (unit -> unit) -> unit
(** [set_wake s f] makes the domain that hands over the first packet call [f ()]. [f] may only set a
    flag or wake a fiber. *)

val take : seat -> (Weir_core.Siblings.packet -> unit) -> unit
(** [take s f] calls [f] on each packet that waits for [s], oldest first. *)

val is_empty : seat -> bool

val dropped : seat -> int
(** [dropped s] is how many packets for [s] found the queue full. *)
