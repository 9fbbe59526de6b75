(** How a host gets its own addresses, for all drivers: each function answers at once, and the
    driver waits until another answer may be due. *)

open Weir_base
open Weir_core

(** {1 Addresses that are being tested}

    A tested address (RFC 4862 §5.4) is ready in a second; after three nothing more is waited for.
*)

val must_settle : Stack.t -> since:Time.t -> now:Time.t -> Ipaddr.t -> bool
(** [must_settle stack ~since ~now a] is true if a user who would send to [a], and who has waited
    since [since], should ask again after {!settling_step}: the host has no source for [a] yet, and
    still tests an address. *)

val settling_step : Time.t

(** {1 DHCP}

    All but {!start_dhcp} raise [Invalid_argument] if it was not called for the interface of that
    number. *)

val start_dhcp :
  Stack.t -> now:Time.t -> wake:(unit -> unit) -> Interface.t -> Dhcp_config.t -> unit
(** [start_dhcp stack ~now ~wake i c] is {!Stack.start_dhcp}; [wake] is called when {!lease} has
    changed. *)

val lease : Stack.t -> int -> Dhcp_lease.t option

val lease_after : Stack.t -> int -> Dhcp_lease.t option -> Dhcp_lease.t option option
(** [lease_after stack n old] is the lease, once it is another than [old]. *)

val time_to_check : Stack.t -> int -> Time.t
(** {!Dhcp_client.time_to_check} *)

val no_lease : Stack.t -> int -> link:string -> after:Time.t -> string
(** {!Dhcp_client.explain} *)

(** {1 Routers} *)

val start_autoconf : Stack.t -> now:Time.t -> wake:(unit -> unit) -> Interface.t -> unit
(** [start_autoconf stack ~now ~wake i] is {!Stack.start_autoconf}; [wake] is called when
    {!autoconf} has changed. *)

val autoconf : Stack.t -> Autoconf.configuration option

val complete_autoconf : Stack.t -> Autoconf.configuration option
(** [complete_autoconf stack] is {!autoconf} once it has an address. *)

val no_autoconf : Stack.t -> link:string -> after:Time.t -> string
(** {!Autoconf.explain} *)
