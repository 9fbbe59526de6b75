(** A DHCP client for one interface (RFC 2131 §4.4): a state machine without input or output.

    A server's messages are checked before they change anything: transaction, MAC address, server,
    lease time, addresses. What fails is counted and dropped. However a server behaves, the client
    sends few messages and keeps a bounded amount of memory.

    Before an offered address is used, ARP probes ask whether another host has it (RFC 5227 §2.1);
    then it is declined. Differences from the RFCs: the first Discover is sent at once, not after 1
    to 10 s; the first usable offer is taken; an address in use is defended and not given up when
    another host claims it (RFC 5227 §2.4 (c)). Not supported: Inform, authentication, FORCERENEW.
*)

open Weir_base
open Weir_wire

(** RFC 2131 figure 5, and [Checking], in which the address is probed. *)
type state =
  | Init  (** waits before it begins (again) *)
  | Rebooting
  | Selecting
  | Requesting
  | Checking
  | Bound
  | Renewing
  | Rebinding
  | Stopped

type t

val create : Dhcp_config.t -> Random.State.t -> mac:Mac.t -> mtu:int -> now:Time.t -> t
(** [create c random ~mac ~mtu ~now] begins at once: see {!next}. [random] must be unpredictable
    outside simulations: its numbers protect against forged answers. Replies may be [mtu] bytes.
    @raise Invalid_argument as {!Dhcp_config.check}. *)

val state : t -> state

val lease : t -> Dhcp_lease.t option
(** [lease t] is what is in use: in [Bound], [Renewing] and [Rebinding]. *)

val time_to_check : t -> Time.t
(** [time_to_check t] is how much longer [Checking] can last; 0 in other states. *)

(** {1 Input} *)

val input : t -> now:Time.t -> Dhcpv4.t -> unit
(** [input t ~now m] processes a message that came to port 68. *)

val heard : t -> now:Time.t -> Arp.t -> unit
(** [heard t ~now arp] processes an ARP packet, whatever it is about. *)

val tick : t -> now:Time.t -> unit
val deadline : t -> Time.t

val release : t -> unit
(** [release t] ends the client: it gives a lease back (§4.4.6) unless it [keeps] it, and is
    [Stopped]. The address stays, so that what waits can be sent. *)

(** {1 Output} *)

type action =
  | Nothing
  | Send of { message : Dhcpv4.t; src : Ip.t; dst : Ip.t }
      (** from port 68 to 67; to 255.255.255.255 on the link of this interface *)
  | Arp of Arp.t  (** to all hosts on the link *)
  | Assign of Dhcp_lease.t  (** use it, in place of the one before *)
  | Withdraw of Dhcp_lease.t  (** the interface no longer has it *)

val next : t -> action
(** [next t] removes and returns the next action, in order. *)

(** {1 Looking inside} *)

type counters = private {
  mutable sent : int;
  mutable received : int;  (** usable answers *)
  mutable ignored : int;  (** messages that failed a check *)
  mutable refused : int;  (** NAKs *)
  mutable conflicts : int;  (** addresses declined *)
}

val counters : t -> counters

val explain : link:string -> after:Time.t -> t -> string
(** [explain ~link ~after t] is a sentence for a person: why there is no lease on [link] after that
    time. *)

val pp_state : Format.formatter -> state -> unit
