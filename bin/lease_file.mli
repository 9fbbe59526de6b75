(** What an earlier run was to a DHCP server, in a file: its address, which the next run asks for
    again (RFC 2131 §3.2), and its client identifier (RFC 4361), as a device's MAC address may be
    another in each run. *)

type t

val open_ : string -> t
(** [open_ path] is what [path] says. If it is not there, or says nothing that can be used, the
    identifier is a new one; the second is told. *)

val dhcp : t option -> Weir_core.Dhcp_config.t
(** [dhcp (Some t)] asks for the address of [t] first, and does not give it back at the end.
    [dhcp None] is {!Weir_core.Dhcp_config.default}. *)

val store : t option -> Weir_core.Dhcp_lease.t option -> unit
(** [store (Some t) (Some lease)] writes [lease]'s address to the file, and replaces it at once, not
    in parts. If it cannot, it tells so. *)
