(** Shows the frames of any link as they pass, a line each, as {!Weir_wire.Dump} prints them:
    {v 0.000001200 out 10.0.0.1:1234 > 10.0.0.2:80 TCP S seq=0 win=65535 len 0 v}
    The time is [now] in seconds; [out] marks a frame given to [send], [in] one that was received.
*)

val wrap : ?absolute:bool -> print:(string -> unit) -> Link.t -> Link.t
(** [wrap ~print link] is [link], and calls [print] with each line, without the line's end. It is
    meant for looking, not for speed. TCP's sequence numbers are relative to the first of their
    connection, as {!Weir_dissect.Conversations.relative} has them, for the latest 4,096
    connections; with [absolute:true] (default [false]) they are those of the headers. *)
