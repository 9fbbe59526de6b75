(** The machine that measured. *)

val facts : unit -> (string * string) list
(** [facts ()] names the processor, its cores, the system, the compiler and its settings. *)
