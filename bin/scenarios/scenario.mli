(** A scenario: a world, programs in it, and what must hold. *)

open Eio.Std
open Weir_link

type settings = {
  impairment : Impairment.t option;  (** in place of the scenario's own *)
  loss : float option;  (** in place of whatever loss there would be *)
  delay_ns : Weir_base.Time.t option;
}

type t = {
  name : string;
  about : string;  (** one line *)
  play : settings -> Weir_sim.world -> unit;  (** raises if something does not hold *)
}

exception Violated of string
(** What must hold did not. *)

val require : bool -> ('a, Format.formatter, unit, unit) format4 -> 'a
(** [require condition format …] raises {!Violated} unless [condition]. *)

(** {1 Parts of scenarios} *)

val lan : ?mtu:int -> settings -> Weir_sim.world -> Impairment.t -> Weir_sim.lan
(** [lan s w i] is a LAN with [i], but for what [s] says. *)

val bad : Impairment.t
(** [bad] is a long, lossy network that duplicates, reorders and corrupts. *)

val patient : Weir_core.Config.t
(** [patient] are the defaults, and asks after a silent peer; [quick] also gives a connection up
    after a few retransmissions. *)

val quick : Weir_core.Config.t
val text : Random.State.t -> int -> string

val tcp : Weir_sim.host -> int -> Eio.Net.Sockaddr.stream
(** [tcp h port] is [h]'s address. *)

val serve :
  ?both:bool ->
  Weir_sim.host ->
  port:int ->
  ([ `Generic ] Eio.Net.stream_socket_ty r -> unit) ->
  unit
(** [serve h ~port f] runs [f] on each connection, of IPv4 or with [both] of either family, for
    ever; a connection that breaks ends [f]'s fiber only. *)

val connect :
  sw:Switch.t ->
  Weir_sim.host ->
  Weir_sim.host ->
  port:int ->
  [ `Generic ] Eio.Net.stream_socket_ty r

val broke : exn -> bool
(** [broke e]: [e] is one of the errors by which a connection may fail: refused, reset, timed out.
*)

val trying : Weir_sim.host -> tries:int -> (unit -> 'a) -> 'a
(** [trying h ~tries f] is [f ()], tried again after three seconds if it {!broke}. *)

val bounded : Weir_sim.host -> Weir_core.Config.t -> unit
(** [bounded h c] requires that [h]'s connections, and the bytes they hold, are within the bounds of
    [c]. *)

val drained : Weir_sim.world -> Weir_sim.host list -> unit
(** [drained w hosts] waits until TIME-WAIT and all else must be over, and requires that no
    connection is left. *)
