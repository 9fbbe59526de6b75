(** Limits on how long threads wait, for many that nearly always are in time: a wait costs a few
    stores, and one sweep four times a second finds those that are over. *)

open Weir_base

exception Timed_out
(** {!Weir_http.Server.Timed_out}. *)

type timer = { now : unit -> Time.t; sleep : Time.t -> unit Lwt.t }
type t

val create : timer -> t
(** [create timer] sweeps only while something is watched. *)

type watch
(** For one limit at a time. *)

val watch : t -> watch
val forget : watch -> unit

val http_timer : watch -> Weir_http.Server.timer
(** [http_timer w] limits the waits of a call that are {!await}ed: once [ns] nanoseconds have gone
    since the first of them, and up to a quarter of a second more, the promise that is awaited is
    cancelled and the call raises {!Timed_out}. *)

val await : watch -> 'a Lwt.t -> 'a
(** [await w p] is {!Weir_threads.Threads.await}[ p], within the limit that [w] has. *)
