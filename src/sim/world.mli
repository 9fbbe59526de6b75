(** The state that the hosts and LANs of one run share. *)

open Weir_base
open Weir_link

type t

type event =
  | Passing of Lan.fate  (** it goes to a port, or is lost *)
  | Arrived  (** at the host whose port it is *)

type sight = { at : Time.t; from : string; to_ : string; frame : string; event : event }
(** What happens to a frame at a port: [from] is the host of its source address. *)

val create :
  Scheduler.t ->
  sw:Eio.Switch.t ->
  seed:int ->
  epoch:Time.t ->
  offload:bool ->
  ?congestion:Weir_core.Congestion.algorithm ->
  ?trace:(string -> unit) ->
  ?trace_absolute:bool ->
  ?watch:(sight -> unit) ->
  ?pcap:Capture.t ->
  unit ->
  t

val scheduler : t -> Scheduler.t
val sw : t -> Eio.Switch.t
val seed : t -> int
val epoch : t -> Time.t

val offload : t -> bool
(** [offload t] is true if the hosts' interfaces cut and join long frames. *)

val congestion : t -> Weir_core.Congestion.algorithm option
(** [congestion t] is what all hosts' connections use, if it was chosen for the world. *)

val now : t -> Time.t

(** {1 Randomness}

    Every part has its own random generator, so that adding a host after the others does not change
    their random choices. *)

type purpose = Program | Host_program | Stack | Network | Order | Hardware | Fate

val seeds : seed:int -> purpose -> int list -> int array
(** [seeds ~seed purpose path] seeds the generator that [purpose] and [path] name. *)

val random : t -> purpose -> int list -> Random.State.t

(** {1 Hosts} *)

val hosts : t -> int
(** [hosts t] is how many there are, and the number of the next. *)

val add_host : t -> name:string -> addresses:(unit -> Ipaddr.t list) -> int
(** [add_host t ~name ~addresses] is the host's number; [addresses ()] is what it has now.
    @raise Invalid_argument if another has that name or one of the addresses. *)

val add_addresses : t -> name:string -> Ipaddr.t list -> unit
(** [add_addresses t ~name l] adds further addresses of that host, which {!lookup} does not give.
    @raise Invalid_argument if a host has one of them already. *)

val add_mac : t -> Macaddr.t -> name:string -> unit
(** [add_mac t mac ~name] says that frames from [mac] are sent by that host. *)

val lookup : t -> string -> Ipaddr.t list
(** [lookup t name] is the addresses of the host [name], in any case; [[]] if there is none. *)

val names : t -> (string * Ipaddr.t) list
(** [names t] is the hosts' names with the addresses that {!lookup} gives. *)

val name_of : t -> Ipaddr.t -> string option

val on_report : t -> (unit -> string list) -> unit
(** [on_report t f] registers [f]: a stopped run calls [f ()] for lines about connections. *)

val connections : t -> string list

val host_failed : t -> host:string -> exn -> Printexc.raw_backtrace -> unit
(** [host_failed t ~host e bt] ends the run. *)

exception Host_failed of string * exn * Printexc.raw_backtrace

val add_stack : t -> string -> (unit -> Weir_core.Stack.t option) -> unit

val stacks : t -> (string * Weir_core.Stack.t option) list
(** [stacks t] are the hosts' in the order of {!add_stack}. *)

(** {1 Network} *)

val new_lan : t -> name:string option -> mtu:int -> ?pcap:string -> Impairment.t -> Lan.t
val block : t -> from:string -> to_:string -> bool -> unit
val unblock_all : t -> unit

val set_path :
  t -> from:string -> to_:string -> lan:int -> Impairment.t -> (Frame.t -> unit) -> unit
(** [set_path t ~from ~to_ ~lan i go_in] applies [i] to the frames of [from] in that LAN on the way
    to [to_], before [go_in] gets them.
    @raise Invalid_argument if {!Impairment.check} finds an error. *)

val sent : t -> Frame.t -> unit
(** [sent t f] adds [f], which a host gave to its link, to {!digest}. *)

val received : t -> Frame.t -> unit

val digest : t -> int
(** [digest t] is a hash of all frames that hosts sent and received, with their times. *)

val frames : t -> int
(** [frames t] is how many were sent. *)

val open_capture : t -> string -> Capture.t
(** [open_capture t path] is closed with [t]. *)

val at_end : t -> (unit -> unit) -> unit
(** [at_end t f]: {!close} calls [f ()], once. *)

val close : t -> unit
(** [close t] is called when the run is over, or given up. *)
