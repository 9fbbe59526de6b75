(** Traces of mahimahi's format, which say at what times a link can deliver a packet: for rates that
    change all the time, as those of radio links do. A line is a time in whole milliseconds from the
    start; at each, one packet of full length or several shorter ones leave. Behind the last line
    the trace begins again. *)

type t

val most : int
(** The most lines, 4,000,000. *)

val of_string : string -> (t, string) result
(** [of_string s] is the trace of the lines [s]. The times must not decrease, and the last must be
    above 0. Empty lines and what follows [#] are skipped. The error names the line. *)

val bytes_each : int
(** How many bytes of frames leave at once: 1,514, a full Ethernet frame. *)

val time : t -> int -> Weir_base.Time.t
(** [time t n] is the [n]th time, from 0, since the start. *)

val first : t -> at:Weir_base.Time.t -> int
(** [first t ~at] is the first [n] whose [time t n >= at]. *)

val mean_bps : t -> int
(** [mean_bps t] is the bits per second over the whole trace. *)
