(** The address that a DHCP server gave to an earlier run, in a file, so that the next run asks for
    it again (RFC 2131 §3.2). *)

val dhcp : string option -> Weir_core.Dhcp_config.t
(** [dhcp (Some path)] asks for the address in [path] first, and does not give it back at the end. A
    file that is not there, or that holds no address, is no error: the second is told. [dhcp None]
    is {!Weir_core.Dhcp_config.default}. *)

val store : string option -> Weir_core.Dhcp_lease.t option -> unit
(** [store (Some path) (Some lease)] makes [path] hold [lease]'s address, and replaces the file at
    once, not in parts. If it cannot, it tells so. *)
