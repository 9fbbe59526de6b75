(** Threads that are started for events from outside, such as frames. Their number is bounded, so
    that a peer cannot start too many, and the program can wait until all have ended. *)

type t

val create : most:int -> on_error:(exn -> unit) -> t
(** [create ~most ~on_error] allows at most [most] threads at a time. *)

val room : t -> unit Lwt.t
(** [room t] is resolved when fewer than [most] threads run, so that one more may be started. *)

val start : t -> (unit -> unit Lwt.t) -> unit
(** [start t f] runs [f ()]; its exception goes only to [on_error]. *)

val idle : t -> unit Lwt.t
(** [idle t] is resolved when no thread runs. *)
