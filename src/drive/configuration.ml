open Weir_base
open Weir_core

(* -- addresses that are being tested ---------------------------------------- *)

let settling_step = Time.ms 50
let most_settling = Time.s 3

let must_settle stack ~since ~now address =
  Stack.is_settling stack && (not (Stack.has_source stack address)) && now - since < most_settling

(* -- DHCP --------------------------------------------------------------------- *)

let dhcp stack interface =
  match Stack.dhcp stack (Stack.interface stack interface) with
  | Some d -> d
  | None -> invalid_arg "DHCP was not started on this interface"

let start_dhcp stack ~now ~wake i config = Dhcp.set_wake (Stack.start_dhcp stack ~now i config) wake
let lease stack interface = Dhcp.lease (dhcp stack interface)

let lease_after stack interface old =
  let now = lease stack interface in
  if Dhcp_lease.is_current old now then None else Some now

let client stack interface = Dhcp.client (dhcp stack interface)
let time_to_check stack interface = Dhcp_client.time_to_check (client stack interface)

let no_lease stack interface ~link ~after =
  Dhcp_client.explain (client stack interface) ~link ~after

(* -- routers -------------------------------------------------------------------- *)

let start_autoconf stack ~now ~wake i = Autoconf.set_wake (Stack.start_autoconf stack ~now i) wake
let autoconf stack = Option.map Autoconf.configuration (Stack.autoconf stack)
let complete_autoconf stack = Autoconf.is_complete (autoconf stack)
let no_autoconf stack ~link ~after = Autoconf.explain (Stack.autoconf stack) ~link ~after
