(** What every subcommand says about its link, and the hosts made from it. *)

type link = Mem | Tap of string

type t = {
  link : link;
  address : string option;  (** as [10.0.0.11/24] *)
  gateway : string option;
  pcap : string option;
  impair : Weir_link.Impairment.t;
  seed : int;
}

val term : t Cmdliner.Term.t

val recorded : sw:Eio.Switch.t -> clock:_ Eio.Time.Mono.t -> string option -> Weir_link.Link.t -> Weir_link.Link.t
(** [recorded ~sw ~clock pcap link] is [link], its frames recorded into the file if there is one. *)

type hosts = {
  local : Weir_eio.host;  (** the one the subcommand is about *)
  peer : Weir_eio.host option;  (** on a memory link: the other end *)
  local_address : string;
}

val server_ip : string
(** On a memory link the server is here ... *)

val client_ip : string
(** ... and the client here. *)

val hosts :
  sw:Eio.Switch.t ->
  clock:_ Eio.Time.Mono.t ->
  ?hosts:(string * Ipaddr.t) list ->
  role:[ `Server | `Client ] ->
  t ->
  hosts
(** [hosts ~sw ~clock ~role t] attaches the local host. @raise Fail.Usage for impossible options. *)

val relay : _ Eio.Flow.two_way -> _ Eio.Flow.two_way -> unit
(** [relay a b] copies both ways until both have ended; an end is passed on as a half-close. *)
