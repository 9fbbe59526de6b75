(** Threads started for what comes from outside: bounded, so that nobody makes them many, and
    counted, so that their end can be waited for. *)

type t

val create : most:int -> on_error:(exn -> unit) -> t
(** [create ~most ~on_error] is for at most [most] at a time. *)

val room : t -> unit Lwt.t
(** [room t] is resolved when fewer than [most] run: then one may be started. *)

val start : t -> (unit -> unit Lwt.t) -> unit
(** [start t f] runs [f ()]; what that raises goes to [on_error] and nowhere else. *)

val idle : t -> unit Lwt.t
(** [idle t] is resolved when none runs. *)
