(** All that [weir run] does to the program's network and tells about it. The rest of the command
    gives it what happens. *)

open Weir_link
module G = Weir_gateway

type options

val term : docs:string -> options Cmdliner.Term.t

type t

val make : options -> t
(** @raise Fail.Usage for options that do not go together. *)

val is_plain : t -> bool
(** [is_plain t] is true if packets need not be seen one by one: offloads may be used. *)

val start : t -> command:string list -> now:(unit -> Weir_base.Time.t) -> unit
(** [start t] opens the capture.
    @raise Fail.Usage if that is not possible. *)

val link : t -> Link.t -> Link.t
(** [link t l] is the program's network, through all conditions and the capture. *)

val go : t -> unit
(** [go t] is called when the program begins: time 0 of all tables. *)

(** {1 For the gateway} *)

val began : t -> exempt:(Ipaddr.t * int -> bool) -> G.record -> unit
(** Destinations that are [exempt] meet no faults. *)

val decide :
  t -> (G.protocol -> Ipaddr.t * int -> G.decision) -> G.protocol -> Ipaddr.t * int -> G.decision
(** [decide t f] is [f], but for the faults of the connection that {!began} last. *)

val limit : t -> G.record -> G.limit option
val ended : t -> G.record -> unit

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

val name_server : t -> G.service -> G.service
(** [name_server t s] is [s], which may fail by chance. *)

val all_sent : t -> bool

val watch : t -> clock:_ Eio.Time.Mono.t -> [ `Stop_daemon ]
(** [watch t ~clock] samples, and shows the live line, until it is cancelled. *)

(** {1 The end} *)

val close : t -> unit
(** [close t] ends the capture. Failures are told, as by {!finish}. *)

val finish : t -> ended:string -> unit
(** [finish t ~ended] prints the summary and writes the document and the page. *)
