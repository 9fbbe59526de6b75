val over : World.link -> Weir_test.Suite.case list

val over_v6 : Weir_test.Suite.case list
(** [over_v6] is over a TAP and IPv6. *)
