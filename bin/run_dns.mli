(** Questions of names as they pass: their answers are learnt, and some fail by chance. *)

val datagrams :
  Run_asked.t ->
  Run_conditions.t ->
  now:(unit -> Weir_base.Time.t) ->
  (sw:Eio.Switch.t -> Ipaddr.t * int -> Weir_gateway.Outside.datagrams) ->
  sw:Eio.Switch.t ->
  Ipaddr.t * int ->
  Weir_gateway.Outside.datagrams
(** [datagrams asked c ~now outer] is [outer], and for port 53 what is said above. *)

val server :
  Run_conditions.t -> now:(unit -> Weir_base.Time.t) -> Weir_gateway.Decision.service -> Weir_gateway.Decision.service
(** [server c ~now s] is the name server [s], whose answers over UDP fail by chance. *)
