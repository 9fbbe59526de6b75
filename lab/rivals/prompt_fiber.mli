(** Fibers made of prompts, as the threads study's Lwt_fiber was of delimcc's: [await] takes the
    stack up to [start] and binds it to the promise. *)

val start : (unit -> 'a) -> 'a Lwt.t

val await : 'a Lwt.t -> 'a
(** @raise Weir_threads.Prompt.No_prompt outside [start]. *)
