(** The parts of a host that survive its crashes. *)

type t

val create :
  World.t ->
  ?name:string ->
  ?gateway:string ->
  ?config:Weir_core.Config.t ->
  ?pcap:string ->
  Lan.t ->
  string ->
  t
(** [create w lan address] is off: see {!Weir_sim.host}.
    @raise Invalid_argument
      if [address] or [gateway] cannot be read, or another host has the name or the address. *)

val world : t -> World.t
val name : t -> string
val addresses : t -> Ipaddr.t list
val clock : t -> Clock.t
val random : t -> Random.State.t
val port : t -> Lan.port

val life : t -> Life.t option
(** [life t] is [None] while [t] is off. *)

val stack : Life.t -> Weir_core.Stack.t
(** [stack l] is for reading only. *)

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
    @raise Life.Crashed if [t] crashes before that. *)

val pause : t -> until:Weir_base.Time.t -> unit
(** [pause t ~until] stops the fibers of [t] until {!resume}, a crash, or that time. *)

val resume : t -> unit

type Eio.Exn.Backend.t += Host_down of string

val alive : t -> Life.t
(** @raise Eio.Io [Connection_failure] if [t] is off. *)
