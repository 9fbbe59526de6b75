(** Many connections between two hosts in one domain, whose clock is virtual: nothing but the stack
    takes time. Each connection asks twice a second, whatever their number, so that each has the
    same timers between two requests. *)

type t

val create : unit -> t
(** [create ()] is two hosts without connections. *)

val length : t -> int

val grow : t -> int -> unit
(** [grow t n] opens connections until there are [n]. Each is accepted. *)

val rest : t -> unit
(** [rest t] lets three seconds go by: acknowledgements are sent and idle buffers given back. *)

val request : t -> int -> unit
(** [request t i] is a request of 100 bytes over connection [i], and its answer of 1,000 bytes. *)

val visit : t -> unit
(** [visit t] is one more connection that is opened, accepted and closed by both ends. *)

val step : t -> among:int -> unit
(** [step t ~among] lets half a second go by between [among] requests. *)

val segments : t -> int
(** [segments t] is how many both hosts have received. *)
