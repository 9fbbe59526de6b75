(** Flows that wrap other flows. Each passes [cast] on, except where bytes could then bypass the
    wrapper. *)

type counter = {
  mutable bytes_in : int;
  mutable bytes_out : int;
  mutable reads : int;
  mutable writes : int;
}

val counter : unit -> counter

val count : counter -> #Flow.flow -> Flow.flow
(** [count c f] is [f] with its reads and writes counted in [c]. It passes [cast] on. *)

val limit : int -> #Flow.reader -> Flow.reader
(** [limit n r] reads the first [n] bytes of [r], and no more.
    @raise Invalid_argument if [n < 0]. *)

val tee : #Flow.reader -> #Flow.writer -> Flow.reader
(** [tee r copy] is [r]; each read also writes its bytes to [copy] before it returns them. *)
