(** Connections between members of a network: no gateway carries them, so that their records are
    made from the packets that this member sends and receives. *)

module Record = Weir_gateway.Record

type t

val make : number:(unit -> int) -> began:(Record.t -> unit) -> ended:(Record.t -> unit) -> t
(** [began] and [ended] are called once for each, as those of {!Weir_gateway.run}. *)

val packet : t -> now:Weir_base.Time.t -> Run_packet.t -> Weir_link.Frame.t -> unit
(** [packet t ~now p f] is called for each packet, in the order of the times at which this member
    sends or receives it. A connection of which the begin was not seen has no record. *)

val close : t -> now:Weir_base.Time.t -> unit
(** [close t] ends all records. [client_closed] is said of a record whose last byte from here was
    acknowledged, whichever side opened it. *)
