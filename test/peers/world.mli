(** The scene of these tests: the kernel at 10.0.0.1/24 on one side of a link, Weir at 10.0.0.11 and
    fd00::11 on the other, nobody else. *)

val kernel : string
val weir : string
val kernel_v6 : string
val weir_v6 : string

type t = {
  env : Weir_programs.Programs.env;
  sw : Eio.Switch.t;
  host : Weir_eio.host;
  net : [ `Generic ] Eio.Net.ty Eio.Resource.t;  (** Weir's *)
  interface : string;  (** the kernel's end of the link *)
  dir : string;  (** a scratch folder *)
  kernel : string;  (** the kernel's address, of the family that is tested *)
  weir : string;
}

(** How the two are joined: by the TAP device [tap0], or by a veth pair, of which the kernel has
    [veth0], and Weir [weir0] by a packet socket or an XDP socket. *)
type link = Tap | Tun | Packet | Xdp

val on_veth : link -> bool
(** [on_veth link] is whether Weir is at an end of a veth pair. *)

val needed : link -> unit
(** [needed link] skips the running test where there can be no such link. *)

val with_weir :
  ?link:link ->
  ?ipv6:bool ->
  ?seconds:float ->
  ?offload:bool ->
  ?ecn:Weir_core.Config.ecn ->
  ?congestion:Weir_core.Congestion.algorithm ->
  ?impair:string ->
  ?capture:string ->
  ?gateway:string ->
  (t -> unit) ->
  unit
(** [with_weir f] runs [f] with a Weir host in this process, over [link] ({!Tap}); with [ipv6] the
    kernel is at fd00::1 too; a failed test after [seconds] (40). [offload] (default false): the
    kernel sums and cuts, and gives frames of up to 64 KB. [ecn] is the host's setting, [congestion]
    its algorithm. [impair] is read by {!Weir_link.Impairment.of_string} and holds both ways;
    [capture] names a file that records what crosses the link; [gateway] is Weir's. *)

val ok : ('a, Weir_tap.Error.t) result -> 'a
(** [ok r] fails the test with the error, if it is one. *)

val configure_v6 : string -> unit
(** [configure_v6 name] gives the kernel's end of a link {!kernel_v6}, which it does not test for
    duplicates. *)

val configure_tap : string -> address:string -> unit
(** [configure_tap name ~address] gives the kernel's end of a TAP its address and brings it up. *)

val python : string -> string list -> string list
(** [python sub args] is the command line of [peer.py]'s subcommand. *)

val check_python : unit -> unit

val authority : string -> string
(** [authority a] is [a] as in a URL: an IPv6 address has brackets. *)

val address : string -> Eio.Net.Ipaddr.v4v6

val listen : t -> port:int -> (Weir_eio.Connection.t -> unit) -> unit
(** [listen t ~port f] calls [f] with each connection that Weir accepts, in a fiber of its own,
    until the world ends. *)

val sysctl : string -> string -> unit
(** [sysctl name value] sets a kernel parameter of the namespace. *)

val tshark : Weir_programs.Programs.env -> string -> string list -> string
(** [tshark env file args] is what it prints of the capture [file], checksums verified, with the
    protocols below applications only. *)

val faults : Weir_programs.Programs.env -> string -> string
(** [faults env file] is what tshark says of the malformed packets and bad checksums in a capture.
*)

val malformed : Weir_programs.Programs.env -> string -> string
(** [malformed env file] is what tshark says of the malformed packets in a capture; checksums, which
    may be partial, are not looked at. *)

val check_clean_capture : Weir_programs.Programs.env -> string -> int
(** [check_clean_capture env file] checks that {!faults} is empty, and is how many packets there
    are. *)

val report : ('a, Format.formatter, unit, unit) format4 -> 'a
(** [report fmt …] is a line that is printed when all tests have run: a figure. *)
