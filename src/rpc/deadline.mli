(** When a call must be over, by the clock of either side. *)

open Weir_base

val after : now:Time.t -> int -> Time.t
(** [after ~now ns] is that much after [now], at most {!Weir_base.Time.never}; [now] if [ns] is
    negative. *)

val left_us : now:(unit -> Time.t) -> Time.t -> int
(** [left_us ~now deadline] is what a client tells its server: the microseconds until [deadline], at
    least 1; 0 if there is none. *)

val is_over : now:(unit -> Time.t) -> Time.t -> bool
(** [is_over ~now deadline] is whether it has come. *)

val allowed_ns : limit_ns:int -> timeout_us:int -> int
(** [allowed_ns ~limit_ns ~timeout_us] is how long a server lets a call take: what its client said,
    and no more than its own limit ({!Weir_base.Time.never} for none). *)
