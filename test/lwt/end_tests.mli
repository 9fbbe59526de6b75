val cases : Weir_test.Suite.case list
(** How connections, reads and hosts end. *)
