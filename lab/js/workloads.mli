(** Prints a line [subject test nanoseconds] for each workload, the time being of one wait (of one
    call, for recurse), after having checked each one's result; ends with [ok]. The only argument is
    the number of waits for each. *)
