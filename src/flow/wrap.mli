(** Flows around flows. Each passes [cast] on, except where that would let bytes past it. *)

type counter = {
  mutable bytes_in : int;
  mutable bytes_out : int;
  mutable reads : int;
  mutable writes : int;
}

val counter : unit -> counter

val count : counter -> #Flow.flow -> Flow.flow
(** [count c f] is [f], adding up in [c] what was read and written. [cast] is [f]'s. *)

val limit : int -> #Flow.reader -> Flow.reader
(** [limit n r] ends after [n] bytes of [r], and takes no more of it.
    @raise Invalid_argument if [n < 0]. *)

val tee : #Flow.reader -> #Flow.writer -> Flow.reader
(** [tee r copy] is [r]; what is read is written to [copy] first. *)
