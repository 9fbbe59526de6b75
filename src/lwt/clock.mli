(** The clock of a host. *)

open Weir_base

type t = {
  now : unit -> Time.t;  (** never goes back *)
  after : Time.t -> (unit -> unit) -> unit -> unit;
      (** [after ns f] calls [f ()] once, in [ns] nanoseconds, and returns a function that cancels
          this. The function may be called at any time and more than once. *)
}

val system : t
(** The monotonic clock of the system and the timers of Lwt's engine. *)

val sleep : t -> Time.t -> unit Lwt.t
(** [sleep t ns] is resolved in [ns] nanoseconds. Cancellable. *)
