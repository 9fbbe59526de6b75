(** A network namespace of one's own (network_namespaces(7)): fresh interfaces, addresses, routes,
    firewall and settings, gone with the last process in it. Tests and demos run in one, so that
    they neither see nor touch the machine's network. *)

val enter : unit -> (unit, Error.t) result
(** [enter ()] moves the calling thread, and the threads, domains and processes that it starts from
    now on, into a new namespace where only [lo] is there, brought up. Call it first in [main],
    before threads and domains.

    Without CAP_SYS_ADMIN it makes a user namespace too (user_namespaces(7)): the process then sees
    itself as root, and is root as far as the new network is concerned; to the rest of the machine
    it is the user that it was, and other users' ids cannot be taken. *)

val possible : unit -> (unit, Error.t) result
(** [possible ()] is whether {!enter} would succeed. Nothing changes. *)

val sysctl : string -> string -> (unit, Error.t) result
(** [sysctl "net.ipv4.tcp_congestion_control" "reno"] sets a kernel parameter of the namespace. *)
