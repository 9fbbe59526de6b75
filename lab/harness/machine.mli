(** The machine that measured. *)

val facts : unit -> (string * string) list
(** [facts ()] names the processor, its cores, the system, the compiler and its settings. *)

external keep_memory : unit -> unit = "weir_lab_keep_memory"
(** [keep_memory ()] has C's [malloc] keep what is freed, from now on. Otherwise what a collection
    frees together may go back to the system, to be faulted in again page by page: in some processes
    and not in others, by what happens to lie behind it. *)
