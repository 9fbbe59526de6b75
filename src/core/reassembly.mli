(** Reassembly of IPv4 (RFC 791 §3.2, RFC 815, RFC 1122 §3.3.2) and IPv6 (RFC 8200 §4.5), within one
    bound on memory.

    Fragments overlap only if the network duplicated a packet, or in an attack that hides bytes from
    a filter or changes another host's datagram (RFC 1858, RFC 3128). So an exact copy is ignored.
    Any other overlap, or fragments that disagree about the end, drops the whole datagram and its
    later fragments, as RFC 5722 §4 requires for IPv6 (RFC 8200 §4.5).

    When there is no room, the oldest incomplete datagram is dropped: most datagrams complete within
    milliseconds. *)

open Weir_base
open Weir_wire

type t

type config = {
  max_datagrams : int;  (** incomplete datagrams *)
  max_bytes : int;  (** bytes of stored fragments, each with 64 bytes of overhead *)
  max_fragments : int;  (** fragments of one datagram *)
  timeout : Time.t;  (** from the arrival of the first fragment; the TTL has no effect *)
}

val default : config
(** 64 datagrams, 262,144 bytes, 64 fragments of one datagram, 30 s. RFC 1122 §3.3.2 recommends 60
    to 120 s. But a fast sender reuses an identification sooner, and an old fragment would then join
    the wrong datagram (RFC 4963 §2). *)

val create : ?config:config -> unit -> t
(** [create ()] holds nothing.
    @raise Invalid_argument if a bound of [config] is below 1. *)

type outcome =
  | Pending  (** fragments are still missing *)
  | Complete of Bytes.t
      (** the whole packet, owned by the caller: the first fragment's header, changed to that of an
          unfragmented packet, and all data. It has the CE codepoint if any fragment had (RFC 3168
          §5.3). No part is left of an IPv6 fragment header. *)
  | Dropped  (** a copy, a conflict, too long, too many: counted *)

val input : t -> now:Time.t -> Packet.t -> outcome
(** [input t ~now p] processes the fragment that {!Weir_wire.Ipv4.read} or {!Weir_wire.Ipv6.read}
    found. Its bytes are copied. [p] must be a fragment. *)

val tick : t -> now:Time.t -> Bytes.t list
(** [tick t ~now] drops the datagrams that timed out. It returns the first fragment, with header, of
    each of them that has it: the caller sends a time exceeded message for it (RFC 1122 §3.3.2, RFC
    8200 §4.5). *)

val deadline : t -> Time.t
(** [deadline t] is when {!tick} must be called. *)

(** {1 Looking inside} *)

type counters = private {
  mutable completed : int;  (** datagrams *)
  mutable timed_out : int;  (** datagrams *)
  mutable evicted : int;  (** datagrams dropped to make room *)
  mutable duplicates : int;  (** fragments *)
  mutable conflicts : int;  (** datagrams dropped for an overlap or different ends *)
  mutable refused : int;
      (** datagrams too long, with too many fragments, or with fragments whose ECN codepoints
          contradict each other *)
}

val config : t -> config
val counters : t -> counters

val length : t -> int
(** [length t] is the number of incomplete datagrams, at most [max_datagrams]. *)

val bytes : t -> int
(** [bytes t] is the bytes of their fragments, with overhead, at most [max_bytes]. *)
