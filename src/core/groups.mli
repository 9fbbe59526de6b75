(** Which multicast groups a host is a member of, on each of its interfaces, and what it tells the
    routers about that: IGMP (RFC 9776, RFC 2236, RFC 1112) and MLD (RFC 9777, RFC 2710).

    While a router that knows only an older version is heard, the host speaks that version (§7). It
    answers at most {!most_members} groups; sources are bounded by {!most_sources}. *)

open Weir_base
open Weir_wire

(** From which senders a member wants datagrams (RFC 3678 §3). [Include []] is no membership. *)
type filter = Include of Ip.t list | Exclude of Ip.t list

val allows : filter -> Packet.t -> bool
(** [allows f p] is true if the source of [p] may pass. *)

val merge : filter list -> filter
(** [merge l] is what all members together want (RFC 9776 §3.2). *)

val most_sources : int
(** 64: of one group on one interface. *)

val most_members : int
(** 1,024: of all interfaces. *)

type t

val create :
  Counters.t -> Routes.t -> Control_queue.t -> random:Random.State.t -> announces:bool -> t
(** [create c r q ~random ~announces] is in the groups of neighbour discovery for the host's
    addresses (RFC 4861 §7.2.1). It tells the routers of these without being asked only if
    [announces], as it does of other groups. *)

val update : t -> Interface.t -> Ip.t -> filter list -> unit
(** [update t i group l] makes [l] what the programs on the host want of [group]. The routers hear
    of a change by {!tick}. *)

val has_room : t -> Interface.t -> Ip.t -> filter list -> bool
(** [has_room t i group l] is false if [l] would pass a limit. *)

val heard : t -> now:Time.t -> Interface.t -> Membership.t -> unit
(** [heard t ~now i m] is given what the routers and hosts on the link of [i] say. Queries are
    answered after a random delay (§5.2). *)

val length : t -> int
val tick : t -> now:Time.t -> unit
val deadline : t -> Time.t
