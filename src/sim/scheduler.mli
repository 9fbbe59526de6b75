(** An Eio scheduler on virtual time. Time stands still while any fiber can run, and jumps to the
    next timer when none can. One domain and no system calls: what runs, and in which order, is a
    function of the program (and of [shuffle], if given).

    It is built on [Eio.Private], as every Eio backend is. It does not support fibers that are woken
    from another domain or thread. *)

open Weir_base

type t

val now : t -> Time.t
(** [now t] is the time since the start. *)

val events : t -> int
(** [events t] is how many times a fiber was resumed or a timer fired. *)

(** {1 Groups} *)

type group
(** Fibers that are paused and resumed together: those of one host. A fiber belongs to the group of
    the fiber that forked it. *)

val group : string -> group

val within : t -> group -> (unit -> 'a) -> 'a
(** [within t g f] is [f ()]; during the call the calling fiber is in [g]. *)

val hiding : t -> bool -> (unit -> 'a) -> 'a
(** [hiding t true f] is [f ()]; the calling fiber meanwhile, and those that it forks, are left out
    of {!waiting}. [hiding t false f] is the opposite. *)

val pause : group -> unit
(** [pause g]: the fibers of [g] do not run until {!resume}. *)

val resume : t -> group -> unit

val resume_all : t -> unit
(** [resume_all t] resumes every group; from now on none can be paused. *)

(** {1 Timers} *)

type timer

val at : t -> Time.t -> (unit -> unit) -> timer
(** [at t time f] calls [f ()] when it is [time], outside any fiber; in the past means now, and
    [Time.never] never. Of timers for one instant, the first made fires first. *)

val cancel : t -> timer -> unit
(** [cancel t timer] cancels it. Idempotent. *)

val sleep_until : t -> Time.t -> unit
(** [sleep_until t time] suspends the fiber until it is [time]; cancellable. *)

(** {1 Running} *)

type stop =
  | Deadlock  (** no fiber can run and no timer is set *)
  | Time_limit of Time.t
  | Event_limit of int

val pp_stop : Format.formatter -> stop -> unit

val run :
  ?shuffle:Random.State.t ->
  time_limit:Time.t ->
  event_limit:int ->
  on_stop:(t -> stop -> unit) ->
  (t -> 'a) ->
  'a option
(** [run … main] runs [main t] as the first fiber and gives its result; exceptions pass through.
    With [shuffle], the next fiber to run is chosen at random, except where Eio guarantees an order.
    When [main] cannot end, [on_stop t why] is called, which should cancel it; the cancelled fibers
    may use 60 s more of virtual time and 1,000,000 events. If [main] has not ended by then, its
    fibers are abandoned and the result is [None]. *)

type waiting = {
  group : string;
  operation : string;  (** the function that waits, as ["Eio.Net.accept"] *)
  place : string option;  (** the innermost place outside libraries, as ["f, file a.ml, line 3"] *)
}

val waiting : t -> waiting list
(** [waiting t] is where the suspended fibers wait, the oldest fiber first. It is read from their
    stacks, so it depends on the program's debugging information. *)
