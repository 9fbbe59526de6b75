(** What every subcommand says about its link, and the hosts made from it. *)

type link = Mem | Tap of string | Packet of string

type t = {
  link : link;
  address : string option;  (** as [10.0.0.11/24] *)
  gateway : string option;
  pcap : Recording.options;
  impair : Weir_link.Impairment.t;
  seed : int;
  offload : bool;  (** the link may sum and cut what is sent *)
}

val term : t Cmdliner.Term.t

val impair_conv : Weir_link.Impairment.t Cmdliner.Arg.conv
(** As {!Weir_link.Impairment.of_string} reads it. *)

val recorded :
  sw:Eio.Switch.t ->
  clock:_ Eio.Time.Mono.t ->
  Recording.t option ->
  Weir_link.Link.t ->
  Weir_link.Link.t
(** [recorded ~sw ~clock pcap link] is [link], its frames recorded if so asked. *)

type ends = {
  link : Weir_link.Link.t;  (** of the host that the subcommand is about *)
  cidr : string;  (** its address and network *)
  gateway : string option;
  mac : Macaddr.t option;  (** the host's, where the link must know it *)
  peer_end : (Weir_link.Link.t * string) option;
      (** on a memory link: the other end, and the address of who has it *)
  on_gone : (unit -> unit) -> unit;  (** as {!Weir_tap.Tap.t}'s *)
  note : string option;  (** why this machine does not reach the host, and what to do about it *)
}

val ends :
  now:(unit -> Weir_base.Time.t) ->
  at_end:((unit -> unit) -> unit) ->
  ?notice:(string -> unit) ->
  role:[ `Server | `Client ] ->
  t ->
  ends
(** [ends ~now ~at_end ~role t] is the link, impaired and recorded as asked, for whatever driver.
    [at_end f] must have [f ()] called when the hosts have ended; it raises {!Fail.Failed} if frames
    could not be recorded, of which [notice] is told at once. @raise Fail.Usage for impossible
    options. *)

val with_ends : (((unit -> unit) -> unit) -> 'a) -> 'a
(** [with_ends f] is [f at_end]; what [at_end] was given is called at the end, and what it raises
    raised unless [f] has raised. *)

val gone : t -> 'a
(** @raise Fail.Failed that says that the link was taken away. *)

val without_network : string -> string
(** [without_network "10.0.0.1/24"] is ["10.0.0.1"]. *)

type hosts = {
  local : Weir_eio.host;  (** the one the subcommand is about *)
  peer : Weir_eio.host option;  (** on a memory link: the other end *)
  local_address : string;
  gone : unit Eio.Promise.t;  (** the link was taken away *)
  note : string option;  (** as in {!type-ends} *)
}

val server_ip : string
(** On a memory link the server is here ... *)

val client_ip : string
(** ... and the client here. *)

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

val unless_gone : t -> hosts -> (unit -> 'a) -> 'a
(** [unless_gone t hosts f] is [f ()], having told the note on standard error.
    @raise Fail.Failed if the link is taken away meanwhile. *)

val relay : _ Eio.Flow.two_way -> _ Eio.Flow.two_way -> unit
(** [relay a b] copies both ways until both have ended; an end is passed on as a half-close. *)
