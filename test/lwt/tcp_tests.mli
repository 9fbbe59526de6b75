(** What the docs of {!Weir_lwt.Network} and {!Weir_lwt.Connection} promise. *)

val transfer : int -> World.t -> unit Lwt.t
(** [transfer n w] sends [n] bytes and checks them. *)

val cases : Weir_test.Suite.case list
