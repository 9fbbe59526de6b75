type membership = { group : Eio.Net.Ipaddr.v4v6; interface : int option }

let any_interface group = { group; interface = None }

type filter = [ `Include of Eio.Net.Ipaddr.v4v6 list | `Exclude of Eio.Net.Ipaddr.v4v6 list ]

type _ Eio.Net.Sockopt.t +=
  | IP_ADD_MEMBERSHIP : membership Eio.Net.Sockopt.t
  | IP_DROP_MEMBERSHIP : membership Eio.Net.Sockopt.t
  | MCAST_MSFILTER : (membership * filter) Eio.Net.Sockopt.t
  | IP_MULTICAST_TTL : int Eio.Net.Sockopt.t
  | IP_MULTICAST_LOOP : bool Eio.Net.Sockopt.t
  | IP_MULTICAST_IF : int option Eio.Net.Sockopt.t
