(** A flood of SYNs from made-up addresses, while honest clients ask. *)

val syn_flood : Scenario.t
