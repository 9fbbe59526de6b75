(** A link through a simulated bad network: loss, bursts of loss, duplicates, flipped bits,
    truncated and reordered frames, delay, jitter, a limited rate, partitions. {!Impairment.t} sets
    the kinds and their probabilities; a seed chooses the frames. The same seed, frames and times
    give the same outcome. The only time is [now]. Delayed frames are held until the user calls
    [receive] at the [deadline]. *)

class type t = object
  inherit Link.t
  (** [stats] counts the frames that passed; its drop counts include the inner link's. It is brought
      up to date by each call. [mtu] and [readiness] are the inner link's. [close] closes the inner
      link and releases held frames. *)

  method set : ?outbound:Impairment.t -> ?inbound:Impairment.t -> unit -> unit
  (** Changes the impairments of frames from now on.
      @raise Invalid_argument if {!Impairment.check} finds an error. *)

  method set_down : unit
  (** Drops all held and new frames, in both directions, until [set_up]. *)

  method set_up : unit
  method is_up : bool

  method outbound : Lane.counters
  (** Counters of the frames sent. *)

  method inbound : Lane.counters
  (** Counters of the frames received from the inner link. *)

  method held : int
  (** The number of frames in transit in both directions. *)
end

val wrap : seed:int -> ?outbound:Impairment.t -> ?inbound:Impairment.t -> Link.t -> t
(** [wrap ~seed link] applies [outbound] to frames sent over [link] and [inbound] to frames received
    from it. Both are {!Impairment.none} by default.
    @raise Invalid_argument if {!Impairment.check} finds an error. *)

(** {1 Several lanes}

    For frames that are treated differently, by their address or by the time. *)

type way = {
  lanes : Lane.t array;  (** all lanes of one direction *)
  enter : now:Weir_base.Time.t -> Frame.t -> unit;
      (** puts a frame, which it then owns, into one of [lanes], or drops it *)
}

val through : outbound:way -> inbound:way -> Link.t -> Link.t
(** [through ~outbound ~inbound link] passes the frames sent over [link] through [outbound], and
    those received from it through [inbound]. [close] ends the lanes too. *)
