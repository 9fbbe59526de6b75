(** The stack study, first form: bulk in memory under each driver, with and without recording; bulk
    and HTTP over a TAP against the kernel; the kernel alone and nginx beside them.

    Every measurement is a process of its own ({!Worker}); subjects take turns in rounds. Metrics:
    [rate] by the wall clock, and in memory [rate_cpu] by the processor's;
    [minor_words_per_segment], all that the process allocates for both hosts, or the one, by the
    data segments (datagrams) sent or received; [live_words] after the transfer, less what the
    program held before it had hosts (the published ones are all of the process); latencies as wrk
    has them; [errors], sockets' or lost datagrams.

    What the machine cannot do (no root, no wrk) is left out, and the study says so. *)

val study : Weir_lab_harness.Study.t
