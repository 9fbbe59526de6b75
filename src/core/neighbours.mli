(** The addresses of the hosts on the link: an ARP cache (RFC 826) with the queueing, the expiry and
    the restraint that RFC 1122 §2.3.2 asks for.

    An address to which packets are sent is {e incomplete} until it answers, then {e reachable}.
    When that has aged, an address still in use is under {e probe}: its MAC serves on while it is
    asked again, first by unicast (RFC 1122 §2.3.2.1 (2)), then all are asked; one that is not in
    use is forgotten. What was learned without having been asked for is {e stale}: it serves, and
    comes under probe soon after it is first used. An address that did not answer has {e failed} for
    a moment, in which nothing is sent to it or asked. The states are those of RFC 4861 §7.3.2.

    Outsiders cannot make this host forget or store much: ARP packets that come in only change what
    is stored here already, except that a request for this host's own address stores its sender (RFC
    826) while less than half of the table is taken. ARP has no authentication; a host on the link
    can still claim another's address, if that one is silent. One forged packet cannot do much: if
    it names another MAC for a known address, the known one serves on and comes under probe; if for
    an unknown address, it is wrong until the probe, two seconds and a round trip from the first
    packet sent there. A host that really has a new MAC waits as long as a probe by unicast takes to
    fail, a second. Proxy ARP is not supported.

    ['packet] is whatever waits for an address to be resolved; it is kept as it is. *)

open Weir_base
open Weir_wire

type 'packet t

type config = {
  max_entries : int;  (** addresses stored, in any state *)
  max_waiting : int;  (** packets that wait for one address *)
  max_waiting_total : int;  (** packets that wait for any address, below [max_entries] *)
  request_interval : Time.t;  (** between two requests to one address *)
  requests : int;  (** unanswered ones until the address has failed *)
  reachable : Time.t;  (** how long an answer is good *)
  unverified : Time.t;  (** how long what nobody asked for serves until it is probed *)
  hold_down : Time.t;  (** how long a failure is *)
}

val default : config
(** 1,024 addresses; 64 packets for one address, so that a datagram's fragments fit, and 256 in all;
    3 requests, one a second (RFC 1122 §2.3.2.1); reachable for 60 s; unverified for 1 s; held down
    for 3 s. *)

type request = { dst : Mac.t;  (** whom the frame is for *) arp : Arp.t }

val create :
  ?config:config ->
  Random.State.t ->
  mac:Mac.t ->
  is_own:(Ip.t -> bool) ->
  source_for:(Ip.t -> Ip.t) ->
  'packet t
(** [create random ~mac ~is_own ~source_for] knows no one. [random] gives the hash secret.
    [is_own a]: this host has the address [a] on the link; [source_for a] is the one that asks for
    [a].
    @raise Invalid_argument if a bound of [config] is out of order. *)

(** {1 Sending} *)

type 'packet neighbour
(** An entry of the table. *)

val neighbour : 'packet t -> Ip.t -> 'packet neighbour
(** [neighbour t a] is what is known of [a] now. It serves until {!mac} is -1. *)

val mac : 'packet t -> now:Time.t -> 'packet neighbour -> int
(** [mac t ~now n] is {!lookup} of its address. *)

val lookup : 'packet t -> now:Time.t -> Ip.t -> int
(** [lookup t ~now a] is the MAC of [a] as an integer, or -1 if it is not known: then {!wait}. [a]
    must be a host on the link. Counts as use. Allocates nothing. *)

type verdict =
  | Ask of request  (** the packet waits; send this *)
  | Wait  (** the packet waits *)
  | Unreachable  (** the address has failed; the packet is still the caller's *)

val wait : 'packet t -> now:Time.t -> Ip.t -> 'packet -> verdict
(** [wait t ~now a p] keeps [p] until [a] answers (then {!input} gives it back) or fails ({!tick}).
    If too many wait for [a], or in all, the oldest for [a], or of the address that has waited
    longest, is dropped and counted.
    @raise Invalid_argument if {!lookup} knows [a]. *)

(** {1 Receiving} *)

val input : 'packet t -> now:Time.t -> Arp.t -> 'packet list
(** [input t ~now arp] learns from a received packet, and is what waited for [arp.sender_ip], oldest
    first, to be sent to [arp.sender_mac] now. Only the answer to a request of this host's changes a
    known MAC; another claim makes a request due, for {!tick}. Senders that are not one host
    (0.0.0.0, multicast, loopback, group MACs) or that claim this host's address teach nothing. *)

val reply : 'packet t -> Arp.t -> request option
(** [reply t arp] is the answer to [arp] if it asks for this host's address, also where it is the
    probe of a host that wants to take it (RFC 5227 §2.1.1). *)

val announcement : 'packet t -> Ip.t -> request
(** [announcement t a] is the broadcast that tells the link whose [a] is (RFC 5227 §2.3). *)

(** {1 Time} *)

type 'packet action =
  | Request of request  (** to be sent *)
  | Failed of { address : Ip.t; packets : 'packet list }
      (** no answer: [packets], oldest first, cannot be sent *)

val tick : 'packet t -> now:Time.t -> 'packet action list
(** [tick t ~now] is what has become due, by instant and address. *)

val deadline : 'packet t -> Time.t
(** [deadline t] is when {!tick} must be called, or earlier. O(1). *)

(** {1 Looking inside} *)

type state = Incomplete | Reachable | Stale | Probe | Failed_lately

type counters = private {
  mutable asked : int;  (** requests given out *)
  mutable learned : int;  (** packets that stored or confirmed an address *)
  mutable ignored : int;  (** packets that taught nothing *)
  mutable conflicts : int;  (** packets from another host that claims this one's address *)
  mutable challenged : int;  (** packets that named another MAC for a known address *)
  mutable failed : int;  (** addresses that did not answer *)
  mutable evicted : int;  (** addresses forgotten to make room *)
  mutable dropped : int;  (** waiting packets dropped to make room *)
}

val config : 'packet t -> config
val counters : 'packet t -> counters

val length : 'packet t -> int
(** [length t] is the number of addresses stored. *)

val waiting : 'packet t -> int
(** [waiting t] is the number of packets that wait. *)

val entries : 'packet t -> (Ip.t * state * Mac.t option) list
(** [entries t] is what is stored, by address. *)

val pp : Format.formatter -> 'packet t -> unit
(** [pp] prints a line an address. *)
