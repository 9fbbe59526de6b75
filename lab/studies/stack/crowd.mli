(** Many connections between two hosts in one domain with a virtual clock, so that only the stack
    takes time. Each connection makes two requests a second, for any number of connections, so that
    the same timers run between two requests. *)

type t

val create : unit -> t
(** [create ()] is two hosts without connections. *)

val length : t -> int

val grow : t -> int -> unit
(** [grow t n] opens connections until there are [n]. Each is accepted. *)

val rest : t -> unit
(** [rest t] advances the time by three seconds: acknowledgements are sent and idle buffers freed.
*)

val request : t -> int -> unit
(** [request t i] is a request of 100 bytes over connection [i], and its answer of 1,000 bytes. *)

val visit : t -> unit
(** [visit t] opens, accepts and closes one more connection. *)

val step : t -> among:int -> unit
(** [step t ~among] advances the time by half a second, divided among [among] requests. *)

val segments : t -> int
(** [segments t] is how many both hosts have received. *)
