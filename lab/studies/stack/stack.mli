(** The stack study, first form: bulk in memory under each driver, with and without recording; bulk
    and HTTP over a TAP against the kernel; the kernel alone and nginx beside them.

    What the machine cannot do (no root, no wrk) is left out, and the study says so. *)

val study : Weir_lab_harness.Study.t
