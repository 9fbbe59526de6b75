(** [weir serve --domains N]: a host and a server in each of several domains, over the queues of one
    TAP. They share their address, and nothing but what {!Weir_drive.Exchange} hands over. *)

type finished = {
  counters : Weir_core.Counters.t;
  admission : Weir_http.Admission.t;
  is_gone : bool;  (** the link was deleted *)
}
(** What is left of one domain's host and server. *)

val run :
  Serve_lwt.options ->
  domains:int ->
  handler:(unit -> Weir_http.Handler.t) ->
  admission:(unit -> Weir_http.Admission.t) ->
  summary:(finished list -> unit) ->
  unit
(** [run o ~domains ~handler ~admission ~summary] serves until a signal arrives or the link is
    deleted, then calls [summary]. Each domain calls [handler ()] and [admission ()] once. On SIGINT
    or SIGTERM all of them finish their answers, within 5 seconds.
    @raise Fail.Usage unless the link is a TAP that can have so many queues.
    @raise Fail.Failed if the link is deleted. *)
