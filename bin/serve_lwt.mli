(** [weir serve --driver lwt], and what it shares with the other driver. *)

type options = {
  attach : Attach.t;
  dir : string;
  port : int;
  forward : (Ipaddr.t * int) option;
  quiet : bool;
  journal : Journal.t;
  admission : Weir_http.Admission.t;
}

val log : options -> (string -> unit) option
(** [log o] takes the access log's lines, if they are wanted. *)

val say : options -> string -> note:string option -> unit
(** [say o at ~note] tells where the site is. *)

val say_usage : options -> Weir_core.Usage.t -> unit
(** [say_usage o usage] prints it as a table. *)

val when_gone : Attach.ends -> unit Lwt.t
(** [when_gone e] is resolved when the link was taken away. *)

val run : options -> Weir_http.Handler.t -> summary:(Weir_core.Counters.t -> unit) -> unit
(** [run o handler ~summary] serves until a signal comes or the link is taken away, then calls
    [summary].
    @raise Fail.Failed in the latter case. *)
