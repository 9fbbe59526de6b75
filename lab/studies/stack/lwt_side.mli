(** The loads under Weir's driver for Lwt, in monadic style. *)

val driver : Driver.t
