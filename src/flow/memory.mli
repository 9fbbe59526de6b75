(** Flows in memory: readers of strings, and writers that collect bytes. *)

val source : ?chunk:int -> string -> Flow.reader
(** [source s] reads [s], at most [chunk] bytes at a time (default: no bound). It returns views of
    [s] without a copy, so they must not be written to.
    @raise Invalid_argument if [chunk < 1]. *)

type sink = < Flow.writer ; contents : string ; length : int ; clear : unit >
(** [contents] is a copy of the written bytes; [clear] removes them and keeps the buffer. *)

val sink : ?max:int -> unit -> sink
(** [sink ()] collects written bytes in a buffer that doubles as needed. {!Flow.copy} to it reads
    directly into that buffer. A write that would make more than [max] bytes fails with
    {!Flow.Too_long} and stores nothing. *)
