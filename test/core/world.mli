(** Hosts on links under one virtual clock and one seed: time jumps to the next deadline, nothing
    sleeps. The same seed gives the same frames at the same times. *)

open Weir_base
open Weir_core
open White_box

type host
type t

val pair :
  seed:int ->
  ?over_v6:bool ->
  ?mtu:int ->
  ?offload:bool ->
  ?configs:Config.t * Config.t ->
  ?there:Weir_link.Impairment.t ->
  ?back:Weir_link.Impairment.t ->
  ?record:bool ->
  ?check:bool ->
  unit ->
  t
(** [pair ~seed ()] is two hosts, 10.0.0.1 and 10.0.0.2, or with [over_v6] fd00::1 and fd00::2, on a
    cable; [there] is what happens to frames of the first, [back] to those of the second. [record]
    keeps a digest of all frames and their times. [check] looks at every connection's {!Invariants}
    after each instant. *)

val first : t -> host
val second : t -> host
val stack : host -> Stack.t
val tcp : host -> Tcp.t
val address : host -> Ipaddr.t
val ip : host -> Weir_wire.Ip.t
val mac : host -> Weir_wire.Mac.t
val now : t -> Time.t

val impair : t -> ?there:Weir_link.Impairment.t -> ?back:Weir_link.Impairment.t -> unit -> unit
(** [impair t] changes the network from now on. *)

val app : t -> (unit -> unit) -> unit
(** [app t f] calls [f] whenever something may have happened. *)

val on_event : host -> (Stack.event -> unit) -> unit
val at : t -> Time.t -> (unit -> unit) -> unit

val on_frame : t -> (host -> Bytes.t -> int -> unit) -> unit
(** [on_frame t f] calls [f h b len] with each frame that host [h] sends, before the network has it.
*)

val on_path : t -> (host -> Frame.t -> bool) -> unit
(** [on_path t f] drops the frames from host [h] for which [f h frame] is false. *)

val inject : t -> host -> Bytes.t -> len:int -> unit
(** [inject t h b ~len] gives [h] a frame now, besides the link, and takes nothing out of it. *)

val drain : t -> host -> (Bytes.t -> int -> unit) -> unit
(** [drain t h f] passes to [f] what [h] wants to send, instead of to the link. *)

val settle : t -> unit
(** [settle t] does all that can be done without time passing. *)

val run : t -> limit:Time.t -> (unit -> bool) -> bool
(** [run t ~limit finished] is true once [finished ()], false if nothing more will ever happen or
    the virtual time [limit] has come first. *)

val pass : t -> Time.t -> unit
(** [pass t span] lets [span] go by. *)

val sent : t -> int
(** [sent t] is how many frames hosts have sent. *)

val overflowed : t -> int
(** [overflowed t] is how many frames of the first host found the network's queue full. *)

val digest : t -> string
(** [digest t] is of all frames so far, if they are recorded. *)

val listen : ?backlog:int -> host -> int -> Tcp.listener
val connect : t -> host -> ?local_port:int -> host -> int -> Tcb.t
