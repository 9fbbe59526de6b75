(** Whether a host that has nothing to do looks for frames again, or blocks.

    An idle processor takes some ten microseconds to block and to wake. A peer that answers each
    frame with another waits for that every time. So a host whose last wait for a frame was short
    does not block: it polls its links, and between two polls all fibers that can run do so. After a
    longer wait it blocks at once, so an idle host does not spin, and a host spins at most once, for
    [most] ns, after its last frame. *)

type t

val default_ns : unit -> Weir_base.Time.t
(** [default_ns ()] is 100 µs, or 0 if the program has one processor: spinning would keep a peer on
    this machine from running. *)

val create : most:Weir_base.Time.t -> t
(** [create ~most] spins for at most [most] ns at a time, with 0 never. *)

val stepped : t -> now:Weir_base.Time.t -> found:bool -> unit
(** [stepped t ~now ~found] notes that the links were asked at [now], and whether a frame had come.
*)

val goes_on : t -> bool
(** [goes_on t] is whether to ask again instead of blocking, after the last {!stepped}. *)
