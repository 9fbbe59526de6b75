(** Joins what happens to frames at the ports of a world into packets and their ways. *)

open Weir_base

type t

val create : most:int -> delay:(from:string -> Time.t) -> t
(** [create ~most ~delay] keeps [most] packets. [delay ~from] is that of trunks for the packets of
    the port [from]: a packet leaves their queue so long before it arrives. *)

val see : t -> Weir_sim.sight -> unit

(** {1 Results} *)

type kind = Data | Ack | Again | Control | Other

type leg = {
  from : string;
  to_ : string;
  enter : Time.t;
  leave : Time.t;
  arrive : Time.t option;
  fate : string;
}

type packet = {
  number : int;
  at : Time.t;
  kind : kind;
  flags : string;  (** of TCP, such as ["SYN ACK"] *)
  marked : bool;
  frame : string;
  legs : leg list;
}

val packets : t -> packet array
(** [packets t] are in the order in which they were sent. *)
