(** Writes files atomically: complete or not at all. *)

val write : string -> ((Bytes.t -> off:int -> len:int -> unit) -> 'a) -> 'a
(** [write path f] is [f output]. The bytes given to [output] go to a temporary file in the same
    directory, which replaces [path] at the end. If [f] or a write fails, or a signal ends the
    program, the temporary file is removed and [path] is unchanged. A [path] that is no regular
    file, such as a device, is written directly. A replaced file keeps its owner and permissions.
    @raise Fail.Failed if it cannot be written. *)
