(** Readers of strings, and writers that gather. *)

val source : ?chunk:int -> string -> Flow.reader
(** [source s] reads [s], at most [chunk] bytes at a time (default: no bound). Its views are of [s]
    itself, so nothing is copied: a writer must not change them.
    @raise Invalid_argument if [chunk < 1]. *)

type sink = < Flow.writer ; contents : string ; length : int ; clear : unit >
(** [contents] is a copy of what was written; [clear] forgets it and keeps the room. *)

val sink : ?max:int -> unit -> sink
(** [sink ()] gathers what is written, in room that doubles. A reader copied into it reads straight
    into that room. Writing more than [max] bytes fails with {!Flow.Too_long} and takes none of that
    write. *)
