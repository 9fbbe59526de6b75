(** Whether a process that should sleep does. *)

type meter

val start : unit -> meter
(** [start ()] notes what this process has used so far. *)

type used = { cpu : float;  (** seconds of processor time, user and system *) wakes : int }
(** What was used since {!start}; [wakes] are the times that a thread waited and went on. *)

val used : meter -> used

val rounds : int
(** How many idle seconds {!check} wants to see. *)

val check : used list -> unit
(** [check seconds] fails if a second has over 20 wakes, or none stayed within 5 ms of processor
    time. A virtual machine is billed for what its host takes away in between, so one second's time
    may lie; wakes do not. *)
