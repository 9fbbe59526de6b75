(** [weir serve --driver lwt], and the parts that both drivers share. *)

type options = {
  attach : Link_options.t;
  dir : string;
  port : int;
  forward : (Ipaddr.t * int) option;
  quiet : bool;
  journal : Journal.t;
  admission : Weir_http.Admission.t;
}

val log : options -> (string -> unit) option
(** [log o] prints lines of the access log; [None] with [--quiet]. *)

val say : options -> string -> note:string option -> unit
(** [say o at ~note] prints the site's address. *)

val say_usage : options -> Weir_core.Usage.t -> unit
(** [say_usage o usage] prints it as a table. *)

val when_gone : Ends.t -> unit Lwt.t
(** [when_gone e] is resolved when the link is deleted. *)

val run : options -> Weir_http.Handler.t -> summary:(Weir_core.Counters.t -> unit) -> unit
(** [run o handler ~summary] serves until a signal arrives or the link is deleted, then calls
    [summary].
    @raise Fail.Failed if the link is deleted. *)

val configured : Ends.t -> Weir_lwt.host -> Ends.t Lwt.t
(** [configured e host] is [e] once [host] has an address.
    @raise Fail.Failed if no DHCP server gives one. *)
