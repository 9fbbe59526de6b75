(** Network namespaces for loads that need a kernel: one with a TAP, or two joined by a veth pair.
    The kernel's address is 10.0.0.1, that of Weir or the other namespace 10.0.0.11. *)

open Weir_lab_harness

val enter : unit -> unit
(** [enter ()] moves this process into a new namespace, with reno as TCP's congestion control,
    because the machine's default may pace.
    @raise Child.Failed if it cannot. *)

val here : Ipaddr.t
(** The kernel's address. *)

val there : Ipaddr.t
(** The address of the subject. *)

(** A TAP, or an end of a veth pair by a packet socket or an XDP socket. *)
type device = Tap | Packet | Xdp

val open_link : offload:bool -> device -> Weir_link.Link.t
(** [open_link ~offload device] is such a link in this namespace, with or without offloads. It is
    up, and its kernel side has the address {!here}. *)

val device_unavailable : device -> string option
(** [device_unavailable d] is why there can be no such link, where there are TAPs. *)

val join : Child.t -> offload:bool -> unit
(** [join child ~offload] waits until [child] is in {!joined}, creates a veth pair between this
    namespace and the child's, and lets the child continue. Without [offload] there are no
    segmentation offloads: frames have at most 1,514 bytes, as over a TAP without offloads. *)

val joined : offload:bool -> unit
(** [joined ~offload] enters a new namespace, and waits until {!join} has put one end of the pair
    there. This end gets the address {!there}. *)

val ready : unit -> unit
(** [ready ()] tells the parent process that this one listens. *)

val unavailable : unit -> string option
(** [unavailable ()] is why namespaces and TAPs cannot be created here; [None] if they can. *)
