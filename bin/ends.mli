(** The ends of links that the options name, for any driver: opened, impaired and recorded. *)

val server_ip : string
(** The server's address on a memory link. *)

val client_ip : string
(** The client's address on a memory link. *)

val server_ipv6 : string
val client_ipv6 : string

type t = {
  name : string;  (** of the link *)
  link : Weir_link.Link.t;  (** of the subcommand's own host *)
  cidr : string;  (** its address and network, [dhcp] or [auto] *)
  gateway : string option;
  mac : Macaddr.t option;  (** the host's, where the link must know it *)
  secret : string option;  (** of {!Weir_eio.host}, for hosts that share their addresses *)
  peer_end : (Weir_link.Link.t * string) option;
      (** on a memory link: the other end and its host's address *)
  on_gone : (unit -> unit) -> unit;  (** as {!Weir_tap.Tap.t}'s *)
  note : string option;
      (** why this machine does not reach the host, and how to change that; or the DHCP lease *)
  lease_file : Lease_file.t option;
}

val is_configured : Link_options.t -> bool
(** [is_configured t] is true if a DHCP server or routers are asked for addresses, which may name
    DNS servers too. *)

val awaits_lease : t -> bool
(** [awaits_lease e] is true if [e]'s address is to come by DHCP. *)

val awaits_routers : t -> bool
(** [awaits_routers e] is true if routers are to configure [e]. *)

val advertised : t -> Weir_core.Autoconf.configuration -> t
(** [advertised e c] is [e] with the addresses of [c], and a note about it. *)

val leased : t -> Weir_core.Dhcp_lease.t -> t
(** [leased e lease] is [e] with that address, and a note about it. *)

val open_ :
  now:(unit -> Weir_base.Time.t) ->
  at_end:((unit -> unit) -> unit) ->
  ?notice:(string -> unit) ->
  role:[ `Server | `Client ] ->
  Link_options.t ->
  t
(** [open_ ~now ~at_end ~role t] is the link, impaired and recorded as the options say, for any
    driver. The caller must call each [f] given to [at_end] when the hosts have ended; [f ()] raises
    {!Fail.Failed} if frames could not be recorded. [notice] gets that error at once.
    @raise Fail.Usage for impossible options. *)

val queues : Link_options.t -> int -> t list
(** [queues t n] are [n] queues of the TAP that the options name, for hosts with one address.
    @raise Fail.Usage for other links, a recording, or a TAP that cannot have so many. *)

val with_ends : (((unit -> unit) -> unit) -> 'a) -> 'a
(** [with_ends f] is [f at_end]. When [f] has ended, it calls all functions given to [at_end]. An
    exception of [f] goes before one of these functions. *)

val gone : Link_options.t -> 'a
(** @raise Fail.Failed with the message that the link was deleted. *)

val recorded_by :
  now:(unit -> Weir_base.Time.t) ->
  at_end:((unit -> unit) -> unit) ->
  notice:(string -> unit) ->
  Recording.t option ->
  Weir_link.Link.t ->
  Weir_link.Link.t
(** [recorded_by ~now ~at_end ~notice pcap link] is [link]; if [pcap] is given, its frames are
    recorded there. [at_end] and [notice] are as in {!open_}. *)
