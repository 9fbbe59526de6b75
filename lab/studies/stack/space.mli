(** Network namespaces for the loads that need a kernel: one with a TAP, or two joined by a veth
    pair. The kernel's side is 10.0.0.1, Weir's or the other kernel's 10.0.0.11. *)

open Weir_lab_harness

val enter : unit -> unit
(** [enter ()] moves this process into a namespace of its own, where TCP's congestion control is
    reno: the machine's own may pace.
    @raise Child.Failed if it cannot. *)

val here : Ipaddr.t
(** The kernel's address. *)

val there : Ipaddr.t
(** The address of what is measured. *)

(** A TAP, or an end of a veth pair by a packet socket or an XDP socket. *)
type device = Tap | Packet | Xdp

val open_link : offload:bool -> device -> Weir_link.Link.t
(** [open_link ~offload device] is such a link in this namespace, with or without offloads. It is
    up, and its kernel side has the address {!here}. *)

val device_unavailable : device -> string option
(** [device_unavailable d] is why there can be no such link, where there are TAPs. *)

val join : Child.t -> offload:bool -> unit
(** [join child ~offload] puts a veth pair between this namespace and that of [child], which said
    [entered] and waits in {!joined}, and then says [joined] to it. Without [offload] there are no
    segmentation offloads: every frame is at most 1,514 bytes long, as over a TAP without them. *)

val joined : offload:bool -> unit
(** [joined ~offload] enters a namespace, says so, and waits until {!join} has put its end of the
    pair there; this end then has {!there}. *)

val ready : unit -> unit
(** [ready ()] tells who started this process that it listens. *)

val unavailable : unit -> string option
(** [unavailable ()] is why there can be no namespaces and TAPs here. *)
