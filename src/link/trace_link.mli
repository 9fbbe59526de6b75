(** Prints each frame of a link on one line, in the format of {!Weir_wire.Dump}:
    {v 0.000001200 out 10.0.0.1:1234 > 10.0.0.2:80 TCP S seq=1 win=65535 len 0 v}
    The time is [now] in seconds; [out] marks a frame given to [send], [in] a received frame. *)

val wrap : print:(string -> unit) -> Link.t -> Link.t
(** [wrap ~print link] is [link] that also calls [print] with each line, without a newline. It is
    meant for debugging and is slow. *)
