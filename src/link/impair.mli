(** A link through a bad network: loss, bursts of it, duplicates, flipped bits, cut and reordered
    frames, delay, jitter, a bounded rate, partitions. {!Impairment.t} says what, a seed says when:
    the same seed, frames and times give the same outcome. Time is only what [now] says; frames are
    held back until the user calls [receive] at the [deadline]. *)

class type t = object
  inherit Link.t
  (** [stats] counts what came through, and as dropped also what the inner link dropped; it is up to
      date when asked for. [mtu] and [readiness] are the inner link's; [close] closes it and
      releases what is held. *)

  method set : ?outbound:Impairment.t -> ?inbound:Impairment.t -> unit -> unit
  (** Changes what happens to frames from now on.
      @raise Invalid_argument if {!Impairment.check} finds an error. *)

  method set_down : unit
  (** Drops what is held and all that comes, both ways, until [set_up]. *)

  method set_up : unit
  method is_up : bool

  method outbound : Lane.counters
  (** What became of the frames sent. *)

  method inbound : Lane.counters
  (** What became of the frames received from the inner link. *)

  method held : int
  (** How many frames are on their way, both directions. *)
end

val wrap : seed:int -> ?outbound:Impairment.t -> ?inbound:Impairment.t -> Link.t -> t
(** [wrap ~seed link] impairs frames sent over [link] by [outbound] and those received from it by
    [inbound], both {!Impairment.none} unless given.
    @raise Invalid_argument if {!Impairment.check} finds an error. *)
