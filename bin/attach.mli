(** The link options of all subcommands, and the hosts made from them. *)

type link = Mem | Tap of string | Packet of string

type t = {
  link : link;
  address : string list;  (** each as [10.0.0.11/24], or [dhcp] *)
  gateway : string list;
  pcap : Recording.options;
  impair : Weir_link.Impairment.t;
  seed : int;
  offload : bool;  (** the link may do checksums and segmentation of sent packets *)
  spin_ns : int option;  (** as {!Weir_eio.Host.create} has it *)
  resolvers : Ipaddr.t list;  (** DNS servers *)
  search : string list;
}

val term : t Cmdliner.Term.t

val client_term : t Cmdliner.Term.t
(** [client_term] is {!term} with options for DNS servers. *)

val check_name : t -> string -> unit
(** [check_name t node] returns if [node] is an address, or a name that can be asked for.
    @raise Fail.Usage for a name without [--resolver]. *)

val looked_up : string -> (unit -> 'a) -> 'a
(** [looked_up node f] is [f ()].
    @raise Fail.Failed if [f] raises that [node] could not be resolved. *)

val impair_conv : Weir_link.Impairment.t Cmdliner.Arg.conv
(** Parses with {!Weir_link.Impairment.of_string}. *)

val recorded :
  sw:Eio.Switch.t ->
  clock:_ Eio.Time.Mono.t ->
  Recording.t option ->
  Weir_link.Link.t ->
  Weir_link.Link.t
(** [recorded ~sw ~clock pcap link] is [link]; if [pcap] is given, its frames are recorded there. *)

type ends = {
  name : string;  (** of the link *)
  link : Weir_link.Link.t;  (** of the subcommand's own host *)
  cidr : string;  (** its address and network, or [dhcp] *)
  gateway : string option;
  mac : Macaddr.t option;  (** the host's, where the link must know it *)
  secret : string option;  (** of {!Weir_eio.host}, for hosts that share their addresses *)
  peer_end : (Weir_link.Link.t * string) option;
      (** on a memory link: the other end and its host's address *)
  on_gone : (unit -> unit) -> unit;  (** as {!Weir_tap.Tap.t}'s *)
  note : string option;
      (** why this machine does not reach the host, and how to change that; or the DHCP lease *)
}

val awaits_lease : ends -> bool
(** [awaits_lease e] is true if [e]'s address is to come by DHCP. *)

val leased : ends -> Weir_core.Dhcp_lease.t -> ends
(** [leased e lease] is [e] with that address, and a note about it. *)

val awaits_routers : ends -> bool
(** [awaits_routers e] is true if routers are to configure [e]. *)

val advertised : ends -> Weir_core.Autoconf.configuration -> ends
(** [advertised e c] is [e] with the addresses of [c], and a note about it. *)

val ends :
  now:(unit -> Weir_base.Time.t) ->
  at_end:((unit -> unit) -> unit) ->
  ?notice:(string -> unit) ->
  role:[ `Server | `Client ] ->
  t ->
  ends
(** [ends ~now ~at_end ~role t] is the link, impaired and recorded as the options say, for any driver. The caller must call each
    [f] given to [at_end] when the hosts have ended; [f ()] raises {!Fail.Failed} if frames could
    not be recorded. [notice] gets that error at once. @raise Fail.Usage for impossible options. *)

val queues : t -> int -> ends list
(** [queues t n] are [n] queues of the TAP that the options name, for hosts with one address.
    @raise Fail.Usage for other links, a recording, or a TAP that cannot have so many. *)

val with_ends : (((unit -> unit) -> unit) -> 'a) -> 'a
(** [with_ends f] is [f at_end]. When [f] has ended, it calls all functions given to [at_end]. An
    exception of [f] goes before one of these functions. *)

val gone : t -> 'a
(** @raise Fail.Failed with the message that the link was deleted. *)

val without_network : string -> string
(** [without_network "10.0.0.1/24"] is ["10.0.0.1"]. *)

val authority : string -> int -> string
(** [authority "10.0.0.1" 81] is ["10.0.0.1:81"]; an IPv6 address gets brackets. *)

val shown : string -> port:int -> string
(** [shown address ~port] is {!authority}, without the port if it is 80. *)

val endpoint : string -> (Ipaddr.t * int) option
(** [endpoint "[fd00::11]:5001"] reads what {!authority} writes. *)

type hosts = {
  local : Weir_eio.host;  (** the subcommand's own host *)
  peer : Weir_eio.host option;  (** on a memory link: the other end *)
  local_address : string;
  gone : unit Eio.Promise.t;  (** the link was deleted *)
  note : string option;  (** as in {!type-ends} *)
  by_dhcp : bool;
}

val server_ip : string
(** The server's address on a memory link. *)

val client_ip : string
(** The client's address on a memory link. *)

val server_ipv6 : string
val client_ipv6 : string

val hosts :
  sw:Eio.Switch.t ->
  clock:_ Eio.Time.Mono.t ->
  ?notice:(string -> unit) ->
  ?hosts:(string * Ipaddr.t) list ->
  role:[ `Server | `Client ] ->
  t ->
  hosts
(** [hosts ~sw ~clock ~role t] attaches the local host, which ends with [sw]. Releasing [sw] raises
    {!Fail.Failed} if frames could not be recorded. @raise Fail.Usage for impossible options. *)

val hosts_on :
  sw:Eio.Switch.t ->
  clock:_ Eio.Time.Mono.t ->
  ?hosts:(string * Ipaddr.t) list ->
  ?resolvers:Ipaddr.t list ->
  ?search:string list ->
  ?spin_ns:int ->
  ?seat:Weir_drive.Exchange.seat ->
  ends ->
  hosts
(** [hosts_on ~sw ~clock e] is {!hosts} on links that are open.
    @raise Fail.Failed if no DHCP server gives an address. *)

val follow_lease : hosts -> (string -> unit) -> 'a
(** [follow_lease hosts say] calls [say] with a line each time that DHCP changes or takes away the
    local host's address. It never returns. *)

val unless_gone : t -> hosts -> (unit -> 'a) -> 'a
(** [unless_gone t hosts f] prints the note on standard error and is [f ()].
    @raise Fail.Failed if the link is deleted meanwhile. *)

val relay : _ Eio.Flow.two_way -> _ Eio.Flow.two_way -> unit
(** [relay a b] copies both ways until both ends are closed; the end of one direction is passed on
    as a half-close. *)
