(** The loads under Weir's driver for Lwt, in monadic style; HTTP is answered by threads, as the
    server reads its flow in direct style. *)

val driver : Driver.t
