(** An environment as [Eio_main.run] gives it, with the parts that a world has. *)

val make :
  net:'net ->
  clock:'clock ->
  mono_clock:'mono ->
  random:Random.State.t ->
  < net : 'net
  ; clock : 'clock
  ; mono_clock : 'mono
  ; secure_random : Eio.Flow.source_ty Eio.Std.r
  ; domain_mgr : Eio.Domain_manager.ty Eio.Std.r
  ; debug : Eio.Debug.t
  ; backend_id : string >
(** [make …]: [secure_random] draws from [random]; [domain_mgr] runs functions in this domain. *)
