(** A link in the shape of [Mirage_net.S] (mirage-net 4), so that Mirage's own stack, or anything
    else written over such a device, runs on a Weir link: a cable to a Weir host, a TAP device, an
    impaired or recorded one. Mirage is not needed.

    One type of that signature is a record that Mirage defines: {!type-stats} has the same fields,
    and [doc/mirage.md] shows how to convert it.

    Frames are copied both ways. A TAP device must be opened without offload: with it, frames are
    longer than the MTU and lack checksums. *)

type t

val of_link : ?clock:Clock.t -> ?mac:Macaddr.t -> #Weir_link.Link.t -> t
(** [of_link link] is a device on [link], which it owns. [clock] (default {!Clock.system}) times the
    link's impairments. [mac] is by default a random locally administered address. *)

type error = [ `Invalid_length | `Disconnected ]

val pp_error : error Fmt.t

val write : t -> size:int -> (Cstruct.t -> int) -> (unit, error) result Lwt.t
(** [write t ~size fill] sends one frame. [fill b] writes it to the start of [b], a zeroed buffer of
    [size] bytes, and returns its length. [`Invalid_length]: [size] is more than [mtu t + 14], or
    the length is more than [size]. A link that is full drops the frame, which counts as sent. *)

val listen : t -> header_size:int -> (Cstruct.t -> unit Lwt.t) -> (unit, error) result Lwt.t
(** [listen t ~header_size f] runs [f frame] for each frame that comes, in a thread of its own, and
    is resolved with [Ok ()] by {!disconnect}. [frame] is [f]'s own. Frames longer than
    [header_size + mtu t], and those that come before the first [listen], are dropped. At most 4,096
    of the threads run at a time; more frames wait in the link, which is bounded. Another [listen]
    replaces [f]. Exceptions of [f] go to {!Lwt.async_exception_hook}. *)

val mac : t -> Macaddr.t
val mtu : t -> int

type stats = {
  mutable rx_bytes : int64;
  mutable rx_pkts : int32;
  mutable tx_bytes : int64;
  mutable tx_pkts : int32;
}

val get_stats_counters : t -> stats
val reset_stats_counters : t -> unit

val disconnect : t -> unit Lwt.t
(** [disconnect t] closes the link. Idempotent. Frames that were given to {!listen}'s function stay
    valid. *)
