(** The machine on which the lab runs. *)

val facts : unit -> (string * string) list
(** [facts ()] names the processor, its cores, the system, the compiler and its settings. *)

external keep_memory : unit -> unit = "weir_lab_keep_memory"
(** [keep_memory ()] makes C's [malloc] keep freed memory from now on. Otherwise it may return
    memory to the system after a collection, in some processes and not in others, and the page
    faults that follow would disturb the times. *)
