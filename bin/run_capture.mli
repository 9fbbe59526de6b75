(** The capture of [weir run]: every packet that the program or Weir sent, at the time when it did,
    with comments: which connection begins and how it ended, and what became of a packet that did
    not arrive as it was. A file named [*.pcapng] has the comments, and the names that the program
    asked for; others are classic pcap files. *)

type t

val start : now:(unit -> Weir_base.Time.t) -> Recording.t -> t
(** @raise Fail.Usage if the file cannot be made. *)

val frame : t -> now:Weir_base.Time.t -> ?comment:string -> Weir_link.Frame.t -> unit
(** [frame t ~now f] records [f], which remains the caller's. *)

val link : t -> Weir_link.Link.t -> Weir_link.Link.t
(** [link t l] records what passes over [l]. *)

val comment : t -> Run_packet.key -> string -> unit
(** [comment t key text] is for the next packet of that connection. If there is none, it stands at
    the end. *)

val finish : t -> now:Weir_base.Time.t -> names:(Ipaddr.t * string) list -> unit
(** [finish t] writes the end and closes the file. A failure is told on standard error. *)
