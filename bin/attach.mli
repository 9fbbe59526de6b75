(** Hosts under Eio, made from the link options. *)

type hosts = {
  local : Weir_eio.host;  (** the subcommand's own host *)
  peer : Weir_eio.host option;  (** on a memory link: the other end *)
  local_address : string;
  gone : unit Eio.Promise.t;  (** the link was deleted *)
  note : string option;  (** as in {!Ends.t} *)
  by_dhcp : bool;
}

val hosts :
  sw:Eio.Switch.t ->
  clock:_ Eio.Time.Mono.t ->
  ?notice:(string -> unit) ->
  ?hosts:(string * Ipaddr.t) list ->
  role:[ `Server | `Client ] ->
  Link_options.t ->
  hosts
(** [hosts ~sw ~clock ~role t] attaches the local host, which ends with [sw]. Releasing [sw] raises
    {!Fail.Failed} if frames could not be recorded.
    @raise Fail.Usage for impossible options. *)

val hosts_on :
  sw:Eio.Switch.t ->
  clock:_ Eio.Time.Mono.t ->
  ?hosts:(string * Ipaddr.t) list ->
  ?resolvers:Ipaddr.t list ->
  ?search:string list ->
  ?seat:Weir_drive.Exchange.seat ->
  Link_options.t ->
  Ends.t ->
  hosts
(** [hosts_on ~sw ~clock t e] is {!hosts} on links that are open.
    @raise Fail.Failed if no DHCP server gives an address. *)

val follow_lease : hosts -> (string -> unit) -> 'a
(** [follow_lease hosts say] calls [say] with a line each time that DHCP changes or takes away the
    local host's address. It never returns. *)

val unless_gone : Link_options.t -> hosts -> (unit -> 'a) -> 'a
(** [unless_gone t hosts f] prints the note on standard error and is [f ()].
    @raise Fail.Failed if the link is deleted meanwhile. *)

val recorded :
  sw:Eio.Switch.t ->
  clock:_ Eio.Time.Mono.t ->
  Recording.t option ->
  Weir_link.Link.t ->
  Weir_link.Link.t
(** [recorded ~sw ~clock pcap link] is [link]; if [pcap] is given, its frames are recorded there. *)

val looked_up : string -> (unit -> 'a) -> 'a
(** [looked_up node f] is [f ()].
    @raise Fail.Failed if [f] raises that [node] could not be resolved. *)

val relay : _ Eio.Flow.two_way -> _ Eio.Flow.two_way -> unit
(** [relay a b] copies both ways until both ends are closed; the end of one direction is passed on
    as a half-close. *)
