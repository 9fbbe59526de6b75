(** The flow that reads as empty and discards all writes. It need not be closed. *)

val flow : Flow.flow
