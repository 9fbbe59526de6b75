(** Limits on how long promises take, for many that nearly always are in time: a wait costs two
    stores, and one sweep four times a second finds those that are over. *)

open Weir_base

exception Timed_out

type timer = Weir_http_lwt.Time_limits.timer = {
  now : unit -> Time.t;
  sleep : Time.t -> unit Lwt.t;
}

type t

val create : timer -> t
(** [create timer] sweeps only while something is watched. *)

type watch
(** For one wait at a time. *)

val watch : t -> watch
val forget : watch -> unit

val within : watch -> Time.t -> 'a Lwt.t -> 'a Lwt.t
(** [within w ns p] is [p]; once that has taken [ns] nanoseconds, and up to a quarter of a second
    more, [p] is cancelled and the result rejected with {!Timed_out}. *)
