(** Tests that need a network of their own: TAP devices, addresses, firewall rules, kernel sockets
    on well-known ports. *)

val run : (unit -> unit) -> unit
(** [run main] is what a test executable does first and last. As root it moves the process, and all
    that it starts from there on, into a fresh network namespace with only [lo], up, and reno as
    TCP's congestion control (the machines' own default paces senders); then it calls [main ()]. The
    namespace is gone with the process. Without root [main] runs where it is. *)

val needed : unit -> unit
(** [needed ()] skips the running test unless {!run} made a namespace and /dev/net/tun is there. *)
