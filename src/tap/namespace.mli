(** A private network namespace (network_namespaces(7)): its own interfaces, addresses, routes,
    firewall and settings. It disappears with its last process. Tests and demos run in one, so that
    they do not change the machine's network. *)

val enter : unit -> (unit, Error.t) result
(** [enter ()] moves the calling thread into a new namespace, with all threads, domains and
    processes that it starts later. The namespace has only the interface [lo], which is up. Call it
    at the start of [main], before threads and domains start.

    Without CAP_SYS_ADMIN it also creates a user namespace (user_namespaces(7)). The process is then
    root in the new network namespace only. Outside it stays the same user, and it cannot switch to
    other users' ids. *)

val possible : unit -> (unit, Error.t) result
(** [possible ()] is [Ok ()] if {!enter} would succeed. It changes nothing. *)

val sysctl : string -> string -> (unit, Error.t) result
(** [sysctl "net.ipv4.tcp_congestion_control" "reno"] sets a kernel parameter of the namespace. *)
