(** Pairs of virtual Ethernet interfaces (veth(4)) in the test's namespace. *)

val make : ?mtu:int -> string -> string -> unit
(** [make a b] makes a pair of interfaces called [a] and [b], down, on which the kernel's IPv6 says
    nothing; skips the running test where there can be none. *)

val await : string -> string -> unit
(** [await a b] waits until the kernel sends on both, which were brought up: it drops what is sent
    before it has noticed. *)

val delete : string -> unit
(** [delete a] deletes [a], and so its other end, if it is there. *)
