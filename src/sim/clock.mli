(** A host's clocks: virtual time that may run fast or slow, and a time of day of its own. *)

open Weir_base

type t

val create : Scheduler.t -> epoch:Time.t -> t
(** [create s ~epoch] reads 0 at the start of [s]; the time of day was then [epoch], in nanoseconds
    since 1970. *)

val now : t -> Time.t
(** [now t] is the monotonic reading. *)

val to_world : t -> Time.t -> Time.t
(** [to_world t reading] is the world's time at which [t] will show [reading], if its drift does not
    change. *)

val set_drift : t -> ppm:int -> unit
(** [set_drift t ~ppm] makes both readings of [t] gain [ppm] microseconds a second from now on, or
    lose them if [ppm] is negative. Fibers that sleep already wake at the virtual time that was
    planned.
    @raise Invalid_argument beyond 500,000 either way. *)

val set_skew : t -> Time.t -> unit
(** [set_skew t ns] puts the time of day [ns] ahead; the monotonic reading stays. *)

val mono : t -> Eio.Time.Mono.ty Eio.Std.r
(** [mono t] is the monotonic clock for Eio. *)

val wall : t -> float Eio.Time.clock_ty Eio.Std.r
(** [wall t] is the time of day for Eio, in seconds since 1970. *)
