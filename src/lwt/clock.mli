(** The clock of a host. *)

open Weir_base

type t = {
  now : unit -> Time.t;  (** never goes back *)
  after : Time.t -> (unit -> unit) -> unit -> unit;
      (** [after ns f] will call [f ()] once, in [ns] nanoseconds, unless its result is called
          before. The result may be called at any time, again and again. *)
}

val system : t
(** The monotonic clock of the system and the timers of Lwt's engine. *)

val sleep : t -> Time.t -> unit Lwt.t
(** [sleep t ns] is resolved in [ns] nanoseconds. Cancellable. *)
