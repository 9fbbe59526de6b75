(** Flows in memory: readers of strings, and writers that collect bytes. *)

val source : ?chunk:int -> string -> Flow.reader
(** [source s] reads [s], at most [chunk] bytes at a time (default: no bound). Its views are of [s]
    itself, so nothing is copied: a writer must not change them.
    @raise Invalid_argument if [chunk < 1]. *)

type sink = < Flow.writer ; contents : string ; length : int ; clear : unit >
(** [contents] is a copy of the written bytes; [clear] removes them and keeps the buffer. *)

val sink : ?max:int -> unit -> sink
(** [sink ()] collects written bytes in a buffer that doubles as needed. {!Flow.copy} to it reads
    directly into that buffer. Writing more than [max] bytes fails with {!Flow.Too_long} and takes
    none of that write. *)
