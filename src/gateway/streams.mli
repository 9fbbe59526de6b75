(** TCP connections, of the host behind the gateway and to it. *)

val request : Shared.t -> net:_ Eio.Net.t -> Weir_eio.Interception.request -> unit
(** [request t ~net q] decides on a SYN, connects outside, answers, and carries the connection on
    until it ends. *)

val stream_in :
  Shared.t ->
  Weir_eio.Interception.t ->
  source:Ipaddr.t * int ->
  destination:Ipaddr.t * int ->
  _ Eio.Net.stream_socket ->
  unit
(** See {!Weir_gateway.stream_in}. *)
