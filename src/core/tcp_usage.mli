(** The use of {!Tcp}'s bounded resources. *)

val count : Config.t -> Connections.t -> (int, Tcb.listener list) Hashtbl.t -> Usage.tcp
(** [count config connections listeners] visits each connection once. *)
