(** Deadlines of calls. Each side uses its own clock. *)

open Weir_base

val after : now:Time.t -> int -> Time.t
(** [after ~now ns] is [now] plus [ns] nanoseconds, at most {!Weir_base.Time.never}; [now] if [ns]
    is negative. *)

val left_us : now:(unit -> Time.t) -> Time.t -> int
(** [left_us ~now deadline] is the time limit that a client sends to its server: the microseconds
    until [deadline], at least 1; 0 if there is no deadline. *)

val is_over : now:(unit -> Time.t) -> Time.t -> bool
(** [is_over ~now deadline] is whether [deadline] has passed. *)

val allowed_ns : limit_ns:int -> timeout_us:int -> int
(** [allowed_ns ~limit_ns ~timeout_us] is how long a server lets a call take: the lesser of the
    client's limit [timeout_us] (0 for none) and its own [limit_ns] ({!Weir_base.Time.never} for
    none). *)
