(** IPv4 reassembly (RFC 791 §3.2, RFC 815, RFC 1122 §3.3.2) in bounded memory.

    Fragments never overlap unless a packet was duplicated on its way, or someone tries to smuggle
    bytes past a filter or into a stranger's datagram (RFC 1858, RFC 3128). So an exact copy is
    ignored, and any other overlap, or a disagreement about the end, loses the whole datagram with
    all fragments still to come, as RFC 5722 §4 has it for IPv6.

    When there is no room, the datagram that began first is given up: what is whole in time is whole
    within milliseconds. *)

open Weir_base
open Weir_wire

type t

type config = {
  max_datagrams : int;  (** incomplete ones *)
  max_bytes : int;  (** of fragments held, each counting 64 bytes more than its data *)
  max_fragments : int;  (** of one datagram *)
  timeout : Time.t;  (** since the first fragment to come; fixed, not taken from the TTL *)
}

val default : config
(** 64 datagrams, 262,144 bytes, 64 fragments of one datagram, 30 s. RFC 1122 §3.3.2 would have 60
    to 120 s; that is longer than a fast sender takes to use an identification again, and a fragment
    left over then meets the wrong datagram (RFC 4963 §2). *)

val create : ?config:config -> unit -> t
(** [create ()] holds nothing.
    @raise Invalid_argument if a bound of [config] is below 1. *)

type outcome =
  | Pending  (** more is to come *)
  | Complete of Bytes.t
      (** a whole packet, owned by the caller: the header of the first fragment, as of an
          unfragmented packet, and all data. It is marked congested if any fragment was (RFC 3168
          §5.3). *)
  | Dropped  (** a copy, a conflict, too long, too many: counted *)

val input : t -> now:Time.t -> Ipv4.t -> Bytes.t -> data:int -> outcome
(** [input t ~now h b ~data] takes the fragment with header [h], as {!Weir_wire.Ipv4.decode} gave
    it, and the [h.data_length] bytes of [b] from [data]; they are copied. [h] must be a fragment.
*)

val tick : t -> now:Time.t -> Bytes.t list
(** [tick t ~now] gives up what has not become whole in time, and is the first fragment, header
    included, of each such datagram that has it: a time exceeded message is due for it (RFC 1122
    §3.3.2). *)

val deadline : t -> Time.t
(** [deadline t] is when {!tick} has something to do. *)

(** {1 Looking inside} *)

type counters = private {
  mutable completed : int;  (** datagrams *)
  mutable timed_out : int;  (** datagrams *)
  mutable evicted : int;  (** datagrams given up for want of room *)
  mutable duplicates : int;  (** fragments *)
  mutable conflicts : int;  (** datagrams lost to an overlap or an unclear end *)
  mutable refused : int;  (** datagrams too long or of too many fragments *)
}

val config : t -> config
val counters : t -> counters

val length : t -> int
(** [length t] is the number of incomplete datagrams, at most [max_datagrams]. *)

val bytes : t -> int
(** [bytes t] is what they count, at most [max_bytes]. *)
