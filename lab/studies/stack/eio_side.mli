(** The loads under Weir's driver for Eio. *)

val driver : Driver.t
