(** The parts of a host that survive its crashes. *)

type t

val create :
  World.t ->
  ?name:string ->
  ?gateway:string ->
  ?resolvers:Ipaddr.t list ->
  ?search:string list ->
  ?config:Weir_core.Config.t ->
  ?forwards:bool ->
  ?driver:Driver.start ->
  ?pcap:string ->
  string ->
  t
(** [create w address] is off and has no interface yet: see {!Weir_sim.host}. With [forwards]
    (default false) it is a router. [driver] runs its stack, by default Eio's.
    @raise Invalid_argument
      if [address] or [gateway] cannot be read, or another host has the name or the address. *)

val attach : t -> Lan.t -> string -> unit
(** [attach t lan address] puts [t] into [lan]. The first interface has the address given to
    {!create}.
    @raise Invalid_argument
      if [address] cannot be read or another host has it, or [t] is in [lan] already. *)

val route : t -> string -> gateway:string -> unit
(** [route t network ~gateway]: see {!Weir_sim.route}. *)

val advertise : t -> Lan.t -> interval:Weir_base.Time.t -> Weir_wire.Nd.advertisement option -> unit
(** [advertise t lan ~interval m]: see {!Weir_core.Advertiser.set}; in this life and those to come.
    @raise Invalid_argument if [t] is not in [lan]. *)

val world : t -> World.t
val name : t -> string

val addresses : t -> Ipaddr.t list
(** [addresses t] is those of its first interface now. *)

val clock : t -> Clock.t
val random : t -> Random.State.t

val ports : t -> Lan.port list
(** [ports t] is the ports of the interfaces of [t], by number. *)

val lan_of : t -> (Lan.t * Lan.port) list

val life : t -> Life.t option
(** [life t] is [None] while [t] is off. *)

val switch_on : t -> main:(unit -> unit) option -> unit
(** [switch_on t ~main] makes [main] the program of [t] and does {!restart}. *)

val restart : t -> unit
(** [restart t] begins a new life, if [t] is off, and runs its program once the calling fiber waits.
*)

val crash : t -> unit

val spawn : t -> (unit -> unit) -> unit
(** [spawn t f] runs [f] as a fiber of [t]'s life once the calling fiber waits. An exception of [f]
    ends the run.
    @raise Eio.Io [Connection_failure] if [t] is off. *)

val call : t -> (unit -> 'a) -> 'a
(** [call t f] is [f ()], run as {!spawn} does.
    @raise Life.Crashed if [t] crashes before [f] returns. *)

val pause : t -> until:Weir_base.Time.t -> unit
(** [pause t ~until] stops the fibers of [t] until {!resume}, a crash, or that time. *)

val resume : t -> unit

type Eio.Exn.Backend.t += Host_down of string

val alive : t -> Life.t
(** @raise Eio.Io [Connection_failure] if [t] is off. *)
