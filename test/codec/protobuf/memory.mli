(** What reading and its errors cost, counted in words; what no writer raises for. *)

val cases : Weir_test.Suite.case list
