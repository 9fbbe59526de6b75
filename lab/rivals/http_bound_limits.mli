(** Time limits for many promises that are almost always in time. A wait costs two stores, and four
    times a second one sweep finds the waits that are over. *)

open Weir_base

exception Timed_out

type timer = Weir_http_lwt.Time_limits.timer = {
  now : unit -> Time.t;
  sleep : Time.t -> unit Lwt.t;
}

type t

val create : timer -> t
(** [create timer] sweeps only while there are waits. *)

type watch
(** It has one wait at a time. *)

val watch : t -> watch
val forget : watch -> unit

val within : watch -> Time.t -> 'a Lwt.t -> 'a Lwt.t
(** [within w ns p] is [p], but after [ns] nanoseconds, or up to a quarter of a second later, [p] is
    cancelled and the result rejected with {!Timed_out}. *)
