(** The stack study: bulk transfer in memory under each driver, with and without recording; bulk and
    HTTP over a TAP with the kernel at the other end; the same for the kernel, nginx and other
    stacks.

    Every measurement is a process of its own ({!Worker}); subjects take turns in rounds. Metrics:
    [rate] by the wall clock, and in memory [rate_cpu] by the processor's;
    [minor_words_per_segment], the words that the process allocates for its hosts, divided by the
    data segments (datagrams) sent or received; [live_words] after the transfer, less the words
    before there were hosts (the published number is of the whole process); latencies as wrk prints
    them; [errors], of sockets, or lost datagrams.

    What the machine cannot do (no root, no wrk) is left out, and the study says so. *)

val study : Weir_lab_harness.Study.t
