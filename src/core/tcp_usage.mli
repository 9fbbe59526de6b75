(** What {!Tcp} has in use of what it bounds. *)

val count : Config.t -> Connections.t -> (int, Tcb.listener list) Hashtbl.t -> Usage.tcp
(** [count config connections listeners] looks at each connection once. *)
