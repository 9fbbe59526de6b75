(** The clock for time limits. *)

open Weir_base

type t = {
  now : unit -> Time.t;  (** never goes back *)
  sleep : Time.t -> unit Lwt.t;  (** is resolved after that many nanoseconds; cancellable *)
}
(** Of [Weir_lwt.Clock]: [{ now = clock.now; sleep = Weir_lwt.Clock.sleep clock }]. *)

(**/**)

val after : t -> int -> Time.t
val sleep_until : t -> Time.t -> unit Lwt.t
