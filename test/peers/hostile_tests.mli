val cases : Weir_test.Suite.case list

val mac : Live.t -> string
(** [mac t] is the server's MAC address, as the kernel knows it. *)
