(** Fibers built on prompts, as Lwt_fiber of the threads study was built on delimcc: [await] takes
    the stack up to [start] and binds it to the promise. *)

val start : (unit -> 'a) -> 'a Lwt.t

val await : 'a Lwt.t -> 'a
(** @raise Weir_threads.Prompt.No_prompt outside [start]. *)
