(** Clocks in nanoseconds. They never go back. *)

external wall_ns : unit -> (int[@untagged]) = "weir_lab_wall_ns_byte" "weir_lab_wall_ns" [@@noalloc]

external cpu_ns : unit -> (int[@untagged]) = "weir_lab_cpu_ns_byte" "weir_lab_cpu_ns"
[@@noalloc]
(** [cpu_ns ()] is the processor time that all domains of this process have used. *)
