(** A switch with cables: frames go to the port where their destination was last seen, else to all.
    Every port has two directions ({!Way}), outward to the switch and inward from it. Two switches
    may be joined by a trunk, but not in a loop. *)

open Weir_link

type t
type port

(** The fate of a frame, as far as it is known when the frame enters. *)
type fate =
  | Entered of Lane.fate
  | Too_long  (** for a narrow trunk: see {!Narrow} *)
  | Forbidden  (** by a partition *)

type watch = {
  permitted : source:Weir_wire.Mac.t -> to_:string -> bool;
      (** whether a frame from [source] may go to the port [to_] *)
  path : source:Weir_wire.Mac.t -> to_:string -> Way.t option;
      (** the {!Way.t} through which frames from [source] to [to_] pass before {!go_in}, if any *)
  passing : source:Weir_wire.Mac.t -> to_:string -> Frame.t -> fate -> unit;
      (** [passing ~source ~to_ frame] is called before a frame goes to the port [to_], or is lost
          on its way to the switch ([to_] is the LAN's name then); its result is called with the
          frame's fate *)
  arrived : to_:string -> Frame.t -> unit;
      (** [arrived ~to_ frame] is called when a frame has come to the host at the port [to_] *)
  captures : Capture.t list;  (** they record every frame that reaches the switch *)
}
(** The callbacks of a switch to its world. *)

val create :
  Scheduler.t ->
  name:string ->
  number:int ->
  seed:int array ->
  mtu:int ->
  Impairment.t ->
  watch ->
  t
(** [create s ~name ~number ~seed ~mtu i watch] is a switch that applies [i] to frames on their way
    to a port.
    @raise Invalid_argument if {!Impairment.check} finds an error, or [mtu] is not 576 to 65,535. *)

val mtu : t -> int

val number : t -> int
(** [number t] is the number of [t] in its world; no other LAN has it. *)

val connect : t -> name:string -> (Frame.t -> unit) -> port
(** [connect t ~name receive] is a new port. It gives its frames to [receive], which owns them. *)

val join : Impairment.t -> t -> t -> port
(** [join i a b] is a trunk between [a] and [b]. Frames from [a] to [b] pass through its inward
    {!Way}.
    @raise Invalid_argument if they are joined already. *)

val set_marks : port -> Weir_base.Time.t -> unit
(** [set_marks p backlog] lets the trunk [p] mark packets ({!Narrow.mark}) that would wait for
    [backlog] or longer, either way, from now on. *)

val set_narrow : port -> Narrow.t option -> unit
(** [set_narrow p n] puts [n] before the trunk [p], at both its ends, from now on. *)

val send : port -> Frame.t -> unit
(** [send p f] sends [f], whose owner is [p] from now on, towards the switch. *)

val go_in : port -> Frame.t -> unit
(** [go_in p f] sends [f] to [p] without going through the switch. *)

val inward : port -> Way.t
val outward : port -> Way.t

val set_up : port -> bool -> unit
(** [set_up p false] pulls the cable. *)

val set_default : t -> Impairment.t -> unit
(** [set_default t i] applies [i] to frames on their way to every port, present and future, except
    trunks.
    @raise Invalid_argument if {!Impairment.check} finds an error. *)
