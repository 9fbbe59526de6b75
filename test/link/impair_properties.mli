val cases : Weir_test.Suite.case list
(** What any impairment keeps to, whatever is sent. *)
