(** Time limits on the waits of threads, for many waits that seldom time out: a wait costs a few
    stores, and a sweep four times a second finds the limits that have passed. *)

open Weir_base

exception Timed_out
(** {!Weir_http.Server.Timed_out}. *)

type timer = { now : unit -> Time.t; sleep : Time.t -> unit Lwt.t }
type t

val create : timer -> t
(** [create timer] sweeps only while some limit runs. *)

type watch
(** Watches one limit at a time. *)

val watch : t -> watch
(** [watch t] is a watch without a limit, for one connection. *)

val forget : watch -> unit
(** [forget w] ends the limit of [w]. *)

val http_timer : watch -> Weir_http.Server.timer
(** [http_timer w] limits the waits of a call that use {!await}. [ns] nanoseconds after the first of
    these waits began, and up to 250 ms later, the awaited promise is cancelled and the call raises
    {!Timed_out}. *)

val await : watch -> 'a Lwt.t -> 'a
(** [await w p] is {!Weir_threads.Threads.await}[ p], within the limit of [w]. *)
