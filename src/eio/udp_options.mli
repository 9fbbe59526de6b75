(** Options of datagram sockets that Eio does not have, for {!Eio.Net.setsockopt}; both families
    have the same.

    {[
    let socket = Eio.Net.datagram_socket ~sw net (`Udp (Eio.Net.Ipaddr.V4.any, 5353)) in
    Eio.Net.setsockopt socket IP_ADD_MEMBERSHIP (any_interface group)
    ]} *)

type membership = {
  group : Eio.Net.Ipaddr.v4v6;
  interface : int option;  (** its number; [None]: that of the route to the group *)
}

val any_interface : Eio.Net.Ipaddr.v4v6 -> membership
(** [any_interface group] has no [interface]. *)

type filter = [ `Include of Eio.Net.Ipaddr.v4v6 list | `Exclude of Eio.Net.Ipaddr.v4v6 list ]
(** From which senders a member receives, or does not (RFC 3678 §3). *)

(** Errors are the kernel's: EADDRINUSE to join a group twice, EADDRNOTAVAIL to leave one that was
    not joined, EINVAL for what is no group, ENODEV for a number that no interface has, ENOBUFS
    beyond {!Weir_core.Udp_sockets.most_memberships}, {!Weir_core.Groups.most_members} or
    {!Weir_core.Groups.most_sources}. A socket receives only what is sent to groups that it joined
    itself, as with the kernel's IP_MULTICAST_ALL set to 0. *)
type _ Eio.Net.Sockopt.t +=
  | IP_ADD_MEMBERSHIP : membership Eio.Net.Sockopt.t
  | IP_DROP_MEMBERSHIP : membership Eio.Net.Sockopt.t
  | MCAST_MSFILTER : (membership * filter) Eio.Net.Sockopt.t
        (** Joins, if the socket is not a member, and leaves for [`Include []]. *)
  | IP_MULTICAST_TTL : int Eio.Net.Sockopt.t
        (** The time to live or hop limit of what is sent to groups: 0 to 255, at first 1. *)
  | IP_MULTICAST_LOOP : bool Eio.Net.Sockopt.t
        (** Whether members on this host receive what is sent: at first [true]. *)
  | IP_MULTICAST_IF : int option Eio.Net.Sockopt.t
        (** The interface by which packets to groups leave, by default that of the route. *)
