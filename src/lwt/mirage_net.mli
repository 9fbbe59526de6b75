(** A link with the signature [Mirage_net.S] (mirage-net 4), so that Mirage's stack, or any program
    over such a device, runs on a Weir link: in memory to a Weir host, on a TAP device, impaired or
    recorded. Mirage is not needed.

    One type of that signature is a record that Mirage defines: {!type-stats} has the same fields,
    and [doc/mirage.md] shows how to convert it.

    Frames are copied both ways. A TAP device must be opened without offloads, as these allow frames
    longer than the MTU and without checksums. *)

type t

val of_link : ?clock:Clock.t -> ?mac:Macaddr.t -> #Weir_link.Link.t -> t
(** [of_link link] is a device on [link], which it owns. [clock] (default {!Clock.system}) is used
    for the link's impairments. [mac] is by default a random locally administered address. *)

type error = [ `Invalid_length | `Disconnected ]

val pp_error : error Fmt.t

val write : t -> size:int -> (Cstruct.t -> int) -> (unit, error) result Lwt.t
(** [write t ~size fill] sends one frame. [fill b] writes it to the start of [b], a zeroed buffer of
    [size] bytes, and returns its length. The error is [`Invalid_length] if [size] is more than
    [mtu t + 14], or the length more than [size]. If the link is full, the frame is dropped and
    counts as sent. *)

val listen : t -> header_size:int -> (Cstruct.t -> unit Lwt.t) -> (unit, error) result Lwt.t
(** [listen t ~header_size f] runs [f frame] for each received frame, in a thread of its own, and is
    resolved with [Ok ()] by {!disconnect}. [f] owns [frame]. Frames longer than
    [header_size + mtu t], and frames before the first [listen], are dropped. At most 4,096 of the
    threads run at a time; more frames wait in the link, which is bounded. Another [listen] replaces
    [f]. Exceptions of [f] go to {!Lwt.async_exception_hook}. *)

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
(** [disconnect t] closes the link. Idempotent. Frames that the function of {!listen} got stay
    valid. *)
