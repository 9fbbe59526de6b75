(** Names under Lwt: waits for {!Weir_drive.Lookup} and connects to a name's addresses by
    {!Weir_drive.Eyeballs}. *)

val wait : Host.t -> (Weir_drive.Pump.t -> 'a Weir_drive.Lookup.answer) -> 'a Lwt.t
(** [wait h f] is the answer of [f pump]. Cancelling it ends the lookup. *)

val connect :
  Host.t ->
  attempt:(Ipaddr.t -> port:int -> (Connection.t, Error.t) Lwt_result.t) ->
  service:string ->
  string ->
  (Connection.t, Error.t) Lwt_result.t
(** [connect h ~attempt ~service node] is the first connection that [attempt] makes. Other attempts
    are cancelled. *)
