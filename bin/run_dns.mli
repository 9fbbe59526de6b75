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

val fault :
  Run_conditions.t ->
  now:(unit -> Weir_base.Time.t) ->
  Weir_wire.Dns.t ->
  [ `Servfail | `Nxdomain | `Timeout ] option
(** [fault c ~now m] is drawn for the question [m]. *)
