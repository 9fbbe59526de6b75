(** Names under Eio: waits for {!Weir_drive.Lookup}, and connects to the addresses of a name by
    {!Weir_drive.Eyeballs}. *)

val wait : Host.t -> (Weir_drive.Pump.t -> 'a Weir_drive.Lookup.answer) -> 'a
(** [wait h f] is the answer of [f pump], which is called under the lock.
    @raise Eio.Io (ENETDOWN) if [h] ends meanwhile. *)

val failed : [< Weir_drive.Lookup.failure | `No_service ] -> exn
(** [failed e] is [Address_lookup_failed], with the C library's error: EAI_NONAME, EAI_NODATA,
    EAI_AGAIN, EAI_FAIL or EAI_SERVICE. *)

val connect :
  Host.t ->
  sw:Eio.Switch.t ->
  attempt:(Ipaddr.t -> port:int -> Connection.t) ->
  service:string ->
  string ->
  Connection.t
(** [connect h ~sw ~attempt ~service node] is the first connection that [attempt] makes. Those that
    are still under way are cancelled.
    @raise Eio.Io as {!failed}, or as the last attempt, which [attempt] must raise as [Eio.Io]. *)
