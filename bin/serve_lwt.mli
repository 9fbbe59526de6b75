(** [weir serve --driver lwt]. *)

type options = {
  attach : Attach.t;
  dir : string;
  port : int;
  forward : (Ipaddr.t * int) option;
  log : (string -> unit) option;
  max_connections : int;
}

val run : options -> Weir_http.Handler.t -> summary:(Weir_core.Counters.t -> unit) -> unit
(** [run o handler ~summary] serves until a signal comes, then calls [summary]. *)
