(** Names from real servers over a TAP: unbound and dnsmasq. *)

val cases : Weir_test.Suite.case list
