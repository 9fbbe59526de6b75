(** The link options of all subcommands. *)

type link =
  | Mem
  | Tap of string
  | Tun of string
  | Packet of string
  | Xdp of string * Weir_xdp.Xdp.mode

type t = {
  link : link;
  address : string list;  (** each as [10.0.0.11/24], [dhcp] or [auto] *)
  gateway : string list;
  pcap : Recording.options;
  impair : Weir_link.Impairment.t;
  seed : int;
  offload : bool;  (** the link may do checksums and segmentation of sent packets *)
  spin_ns : int option;  (** as {!Weir_eio.Host.create} has it *)
  resolvers : Ipaddr.t list;  (** DNS servers *)
  search : string list;
  lease_file : string option;  (** where the address of an earlier run is *)
  congestion : Weir_core.Congestion.algorithm option;  (** of connections; [None]: CUBIC *)
}

val term : t Cmdliner.Term.t

val client_term : t Cmdliner.Term.t
(** [client_term] is {!term} with options for DNS servers. *)

val check_names : t -> unit
(** @raise Fail.Usage if the options for DNS servers and domains do not fit. *)

val check_name : t -> string -> unit
(** [check_name t node] returns if [node] is an address, or a name that can be asked for.
    @raise Fail.Usage for a name without [--resolver]. *)

val impair_conv : Weir_link.Impairment.t Cmdliner.Arg.conv
(** Parses with {!Weir_link.Impairment.of_string}. *)

val congestion : docs:string -> Weir_core.Congestion.algorithm option Cmdliner.Term.t
(** [congestion ~docs] is [--congestion] of one host; [congestion_of who ~docs] that of [who], such
    as ["all hosts'"]. *)

val congestion_of : string -> docs:string -> Weir_core.Congestion.algorithm option Cmdliner.Term.t

val configuration : Weir_core.Congestion.algorithm option -> #Weir_link.Link.t -> Weir_core.Config.t
(** [configuration a link] is the usual one of a host on [link], with [a]. *)

val config : t -> #Weir_link.Link.t -> Weir_core.Config.t
(** [config t link] is {!configuration} with [t]'s algorithm. *)
