(** Whether a host that has nothing to do looks for frames again, or blocks.

    To block and to be woken takes a processor that is idle some ten microseconds. A peer that
    answers each frame by another waits for that every time. So a host whose last wait for a frame
    was short does not block: for that long it asks its links again and again, and lets all that can
    run do so between. After a longer wait it blocks at once, so an idle host does not spin, and a
    host spins at most once, for [most] ns, after its last frame. *)

type t

val default_ns : unit -> Weir_base.Time.t
(** [default_ns ()] is 100 µs, or 0 if the program has one processor: who spins there keeps the peer
    from running. *)

val create : most:Weir_base.Time.t -> t
(** [create ~most] spins for at most [most] ns at a time, with 0 never. *)

val stepped : t -> now:Weir_base.Time.t -> found:bool -> unit
(** [stepped t ~now ~found] notes that the links were asked at [now], and whether a frame had come.
*)

val goes_on : t -> bool
(** [goes_on t] is whether to ask again instead of blocking, after the last {!stepped}. *)
