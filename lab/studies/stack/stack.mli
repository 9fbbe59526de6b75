(** The stack study: bulk transfer in memory under each driver, with and without recording; bulk and
    HTTP over a TAP with the kernel at the other end; the same for the kernel, nginx and other
    stacks.

    Each measurement is a process of its own ({!Worker}); in each round all subjects are measured.
    Metrics: [rate] by wall time, and in memory [rate_cpu] by processor time;
    [minor_words_per_segment], the words that the process allocates for its hosts, divided by the
    data segments (or datagrams) sent or received; [live_words] after the transfer, less those
    before the hosts were created (the published number is of the whole process); latencies as wrk
    prints them; [errors] of sockets, or lost datagrams.

    Measurements that the machine does not allow (without root, without wrk) are left out, and the
    study reports them. *)

val study : Weir_lab_harness.Study.t
