(** All that [weir run] does to the program's network and tells about it. The rest of the command
    gives it what happens. *)

open Weir_link
module G = Weir_gateway
module Record = Weir_gateway.Record

type options

val term : docs:string -> options Cmdliner.Term.t

type t

val plan : options -> Run_plan.t

val make : options -> own:Ipaddr.t list -> name:(Ipaddr.t -> string option) -> t
(** [own] are the program's addresses, [name a] is the member of its network that has [a]. *)

val is_plain : t -> bool
(** [is_plain t] is true if packets need not be seen one by one: offloads may be used. *)

val start : t -> command:string list -> now:(unit -> Weir_base.Time.t) -> unit
(** [start t] opens the capture.
    @raise Fail.Usage if that is not possible. *)

val link : t -> Link.t -> Link.t
(** [link t l] is the program's network, through all conditions and the capture. *)

val go : t -> unit
(** [go t] is called when the program begins: time 0 of all tables. *)

(** {1 For its network} *)

val joined : t -> unit
(** [joined t]: there are other members. {!between} is then called for their frames. *)

val between : t -> Run_join.watch

(** {1 For the gateway} *)

val number : t -> int
(** [number t] is that of the next record. *)

val began : t -> exempt:(Ipaddr.t * int -> bool) -> Record.t -> unit
(** Destinations that are [exempt] meet no faults. *)

val decide :
  t ->
  (Record.protocol -> Ipaddr.t * int -> G.Decision.t) ->
  Record.protocol ->
  Ipaddr.t * int ->
  G.Decision.t
(** [decide t f] is [f], but for the faults of the connection that {!began} last. *)

val limit : t -> Record.t -> G.Decision.limit option
val ended : t -> Record.t -> unit

val datagrams :
  t ->
  (sw:Eio.Switch.t -> Ipaddr.t * int -> G.Outside.datagrams) ->
  sw:Eio.Switch.t ->
  Ipaddr.t * int ->
  G.Outside.datagrams

val names : t -> Ipaddr.t -> string list
(** [names t a] is the names by which the program knows [a]. *)

val heard : t -> string -> Ipaddr.t list -> unit
(** [heard t name addresses]: the program was told that [name] has [addresses]. *)

val dns_fault : t -> Weir_wire.Dns.t -> [ `Servfail | `Nxdomain | `Timeout ] option
(** [dns_fault t m] is drawn for the question [m]. *)

val all_sent : t -> there:(Ipaddr.t -> bool) -> bool
(** See {!Run_report.all_sent}. *)

val watch : t -> clock:_ Eio.Time.Mono.t -> [ `Stop_daemon ]
(** [watch t ~clock] samples, and shows the live line, until it is cancelled. *)

(** {1 The end} *)

val close : t -> unit
(** [close t] ends the capture. Failures are told, as by {!finish}. *)

val finish : t -> ended:string -> between:Run_join.t option -> unit
(** [finish t ~ended] prints the summary and writes the document and the page. *)
