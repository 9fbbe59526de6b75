(** The kernel as the peer: the link is a descriptor that Lwt's engine watches. *)

val cases : Weir_test.Suite.case list
