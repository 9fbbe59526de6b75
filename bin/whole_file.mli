(** Files that are whole or not there. *)

val write : string -> ((Bytes.t -> off:int -> len:int -> unit) -> 'a) -> 'a
(** [write path f] is [f output]; what [f] outputs is then the file [path]. Until then it is beside
    it under a name of its own; if [f] or a write fails, or a signal ends the program, that is
    removed, and [path] is as it was. What is at [path] and no regular file, such as a device, is
    written as it is. Owner and permissions of a file that is replaced are kept.
    @raise Fail.Failed if it cannot be written. *)
