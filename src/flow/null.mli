(** The flow that is at its end and takes everything. It holds nothing, so there is nothing to
    close. *)

val flow : Flow.flow
