(** The use of {!Tcp}'s bounded resources. *)

val count :
  Config.t -> Connections.t -> time_waits:int -> (int, Tcb.listener list) Hashtbl.t -> Usage.tcp
(** [count config connections ~time_waits listeners] visits each connection once. *)
