(** Datagrams between pairs of addresses and ports, of the host behind the gateway and to it. *)

val flow : Shared.t -> sw:Eio.Switch.t -> Weir_eio.Interception.flow -> unit
(** [flow t ~sw f] decides on a new pair, and carries its datagrams on until nothing has passed for
    a while. *)

val datagrams_in :
  Shared.t ->
  Weir_eio.Interception.t ->
  source:Ipaddr.t * int ->
  destination:Ipaddr.t * int ->
  Outside.datagrams ->
  unit
(** See {!Weir_gateway.datagrams_in}. *)
