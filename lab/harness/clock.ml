external wall_ns : unit -> (int[@untagged]) = "weir_lab_wall_ns_byte" "weir_lab_wall_ns" [@@noalloc]
external cpu_ns : unit -> (int[@untagged]) = "weir_lab_cpu_ns_byte" "weir_lab_cpu_ns" [@@noalloc]
