(** The MAC addresses of the hosts on the link: the cache of ARP (RFC 826), with the packet queue,
    the expiry and the rate limit of RFC 1122 §2.3.2, and of neighbour discovery for IPv6 (RFC 4861
    §7). One state machine and one set of bounds serve both.

    The states are those of RFC 4861 §7.3.2:
    - {e Incomplete}: a request was sent, no answer yet.
    - {e Reachable}: the address answered. When the entry expires it goes to {e probe} if it is in
      use; else it is removed.
    - {e Probe}: the known MAC stays in use while requests are sent, first by unicast (RFC 1122
      §2.3.2.1 (2)), then by broadcast.
    - {e Stale}: learned without a request. It is usable and goes to {e probe} soon after its first
      use.
    - {e Failed}: no answer. For a short time no packet and no request is sent to it.

    Other hosts can neither fill nor empty the table. Received ARP packets change existing entries
    only, with one exception: a request for this host's own address stores its sender (RFC 826)
    while less than half of the table is used. ARP has no authentication, so a host on the link can
    still claim the address of a silent host. The effect of one forged packet is limited. If it
    gives another MAC for a known address, the known MAC stays in use and is probed. If it is for an
    unknown address, the entry is wrong until the probe, two seconds and a round trip after the
    first packet sent there. A host that really has a new MAC is reached when the unicast probe has
    failed, after a second. The same holds for neighbour discovery, where RFC 4861 §7.2.5 would take
    the MAC of any advertisement that says "override". Proxy ARP is not supported, nor are the
    reachable times of routers (§6.3.4).

    ['packet] is the type of the packets that wait for an address; they are stored unchanged. *)

open Weir_base
open Weir_wire

type 'packet t

type config = {
  max_entries : int;  (** addresses stored, in any state *)
  max_waiting : int;  (** packets that wait for one address *)
  max_waiting_total : int;  (** packets that wait for all addresses together; below [max_entries] *)
  request_interval : Time.t;  (** between two requests to one address *)
  requests : int;  (** unanswered requests until the address has failed *)
  reachable : Time.t;  (** how long an answer is valid *)
  unverified : Time.t;  (** how long a stale address in use is used before it is probed *)
  hold_down : Time.t;  (** how long a failed address stays failed *)
}

val default : config
(** 1,024 addresses; 64 packets for one address, so that a datagram's fragments fit, and 256 in all;
    3 requests, one a second (RFC 1122 §2.3.2.1); reachable for 60 s; unverified for 1 s; held down
    for 3 s. *)

type message = Arp.t = {
  operation : Arp.operation;
  sender_mac : Mac.t;
  sender_ip : Ip.t;
  target_mac : Mac.t;
  target_ip : Ip.t;
}
(** What ARP and neighbour discovery have in common. For IPv6 addresses a [Request] is a neighbour
    solicitation of [target_ip]. A [Reply] is an advertisement of [sender_ip], sent to [target_ip];
    one that nobody asked for has [target_ip] = [sender_ip]. *)

type request = {
  dst : Mac.t;  (** destination of the frame; {!Weir_wire.Mac.broadcast}: all who may have it *)
  arp : message;
}

val create :
  ?config:config ->
  Random.State.t ->
  mac:Mac.t ->
  is_own:(Ip.t -> bool) ->
  source_for:(Ip.t -> Ip.t) ->
  'packet t
(** [create random ~mac ~is_own ~source_for] is an empty table. [random] gives the hash secret.
    [is_own a] is true if this host has the address [a] on the link. [source_for a] is the sender
    address of requests for [a].
    @raise Invalid_argument if a bound of [config] is invalid. *)

(** {1 Sending} *)

type 'packet neighbour
(** An entry of the table. *)

val neighbour : 'packet t -> Ip.t -> 'packet neighbour
(** [neighbour t a] is the entry of [a]. It is valid until {!mac} is -1. *)

val mac : 'packet t -> now:Time.t -> 'packet neighbour -> int
(** [mac t ~now n] is {!lookup} of its address. *)

val lookup : 'packet t -> now:Time.t -> Ip.t -> int
(** [lookup t ~now a] is the MAC of [a] as an integer, or -1 if it is unknown: then call {!wait}.
    [a] must be a host on the link. The call counts as a use of [a]. It does not allocate. *)

val stored : 'packet t -> Ip.t -> int
(** [stored t a] is {!lookup} that does not count as a use. *)

type verdict =
  | Ask of request  (** the packet waits; send this request *)
  | Wait  (** the packet waits *)
  | Unreachable  (** the address has failed; the caller keeps the packet *)

val wait : 'packet t -> now:Time.t -> Ip.t -> 'packet -> verdict
(** [wait t ~now a p] stores [p] until [a] answers (then {!input} returns it) or fails (then {!tick}
    returns it). If too many packets wait for [a], the oldest of them is dropped and counted. If too
    many wait in total, the oldest packet of the longest incomplete address is.
    @raise Invalid_argument if {!lookup} knows [a]. *)

(** {1 Receiving} *)

val input : 'packet t -> now:Time.t -> Arp.t -> 'packet list
(** [input t ~now arp] processes a received ARP packet. It returns the packets that waited for
    [arp.sender_ip], oldest first; send them to [arp.sender_mac] now. Only an answer to this host's
    request changes a known MAC; any other packet with another MAC makes {!tick} return a request.
    Packets whose sender is not a unicast address (0.0.0.0, multicast, loopback, group MACs) or
    claims this host's address are not learned. *)

val reply : 'packet t -> Arp.t -> request option
(** [reply t arp] is the answer to [arp] if it requests this host's address. It also answers the
    probe of a host that wants to use that address (RFC 5227 §2.1.1). *)

val announcement : 'packet t -> Ip.t -> request
(** [announcement t a] is the broadcast that announces that this host has [a] (RFC 5227 §2.3). *)

(** {1 Time} *)

type 'packet action =
  | Request of request  (** to be sent *)
  | Failed of { address : Ip.t; packets : 'packet list }
      (** no answer: [packets], oldest first, cannot be sent *)

val tick : 'packet t -> now:Time.t -> 'packet action list
(** [tick t ~now] is the actions that are due, in order of instant and address. *)

val deadline : 'packet t -> Time.t
(** [deadline t] is when {!tick} must be called, or earlier. O(1). *)

(** {1 Looking inside} *)

type state = Incomplete | Reachable | Stale | Probe | Failed_lately

type counters = private {
  mutable asked : int;  (** requests returned to be sent *)
  mutable learned : int;  (** packets that stored or confirmed an address *)
  mutable ignored : int;  (** packets not used *)
  mutable conflicts : int;  (** packets of another host that claims this host's address *)
  mutable challenged : int;  (** packets with another MAC for a known address *)
  mutable failed : int;  (** addresses that did not answer *)
  mutable evicted : int;  (** addresses removed to make room *)
  mutable dropped : int;  (** waiting packets dropped to make room *)
}

val config : 'packet t -> config
val counters : 'packet t -> counters

val length : 'packet t -> int
(** [length t] is the number of addresses stored. *)

val waiting : 'packet t -> int
(** [waiting t] is the number of packets that wait. *)

val entries : 'packet t -> (Ip.t * state * Mac.t option) list
(** [entries t] is all entries, in order of address. *)

val pp : Format.formatter -> 'packet t -> unit
(** [pp] prints one line for each address. *)
