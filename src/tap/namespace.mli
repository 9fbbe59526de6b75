(** A network namespace of one's own (network_namespaces(7)): fresh interfaces, addresses, routes,
    firewall and settings, gone with the last process in it. Tests and demos run in one, so that
    they neither see nor touch the machine's network. *)

val enter : unit -> (unit, Error.t) result
(** [enter ()] moves the calling thread, and the threads, domains and processes that it starts from
    now on, into a new namespace where only [lo] is there, brought up. Call it first in [main].
    Needs CAP_SYS_ADMIN. *)

val sysctl : string -> string -> (unit, Error.t) result
(** [sysctl "net.ipv4.tcp_congestion_control" "reno"] sets a kernel parameter of the namespace. *)
