(** Whether a process that should sleep does. *)

type meter

val start : unit -> meter
(** [start ()] notes what this process has used so far. *)

type used = {
  cpu : float;  (** seconds of processor time, user and system *)
  wakes : int;  (** how often a thread waited and went on *)
  stolen : int;  (** ticks that a virtual machine's host took, from all its processors *)
}
(** What was used since {!start}. *)

val used : meter -> used

val check : used -> unit
(** [check u] fails if, in what was a second, [u] has more than 5 ms of processor time or 20 wakes.
*)
