(** Tests that need a network of their own: TAP devices, addresses, firewall rules, kernel sockets
    on well-known ports. *)

val run : (unit -> unit) -> unit
(** [run main] is what a test executable does first and last. It moves the process, and all that it
    starts from there on, into a fresh network namespace with only [lo], up, and reno as TCP's
    congestion control (the machines' own default paces senders); then it calls [main ()]. The
    namespace is gone with the process. A user who is not root becomes root of a user namespace;
    where these are switched off, [main] runs where it is. *)

val apart : unit -> unit
(** [apart ()] skips the running test unless {!run} made a namespace. *)

val needed : unit -> unit
(** [needed ()] is {!apart}, and skips unless /dev/net/tun may be opened. *)

val possible : unit -> unit
(** [possible ()] skips the running test unless a program that it starts can make a namespace and a
    TAP in it. *)

val by_root : unit -> bool
(** [by_root ()] is whether the machine's root runs this, after {!run}; an ordinary user is root of
    the namespace only, and has no other users' ids there. *)

val needs_root : unit -> unit
(** [needs_root ()] skips the running test unless {!by_root}. *)
