(** Writes records to a capture in a domain of its own, so that the caller does not wait for the
    disk. Records are gathered in a bounded number of blocks, and a few blocks are written together,
    or what there is after a tenth of a second. If the disk is too slow, the caller waits at most
    [patience_ns]; then records are dropped and counted until half of the blocks have been written.
    If writing fails, the error is reported once, and later records are dropped and counted. No
    function raises for this: a failed recording must not stop the program that records. A file
    always ends with a whole record, unless it is a pipe or the process dies during a write.

    Only one domain at a time may call these functions. *)

type t

val create :
  ?block:int ->
  ?blocks:int ->
  ?patience_ns:int ->
  ?grace_ns:int ->
  ?rotation:Capture_files.rotation ->
  ?on_error:(string -> unit) ->
  ?on_drop:(unit -> unit) ->
  header:string ->
  string ->
  (t, string) result
(** [create ~header path] creates the file [path], which begins with [header]. An existing file is
    emptied. With [rotation] the files are {!Capture_files.numbered}, and each begins with [header].
    If [path] is a FIFO, it waits for a reader. The error is a message for users.

    [block] is the size of a block in bytes (default a little more than 256 KiB); it must hold the
    longest record. [blocks] is the most blocks (default 64), [patience_ns] is 20 ms by default.
    [on_error] gets a message when writing fails (default: prints it on standard error). [on_drop]
    is called when the first record is dropped because the disk is too slow. Both are called in the
    domain that records, during {!end_record} or {!close}. *)

val write : t -> Bytes.t -> off:int -> len:int -> unit
(** [write t b ~off ~len] appends these bytes to the current record. The caller may reuse [b]
    afterwards. It allocates nothing.
    @raise Invalid_argument if [off], [len] are not within [b]. *)

val end_record : t -> unit
(** [end_record t] ends the current record. A record longer than a block is dropped and counted. *)

val append : t -> head:Bytes.t -> Bytes.t -> off:int -> len:int -> unit
(** [append t ~head b ~off ~len] appends a whole record: [head], then the [len] bytes of [b] at
    [off]. *)

val close : t -> unit
(** [close t] writes the gathered records and closes the file. It gives up when the system has taken
    nothing for [grace_ns] (default 5 s), such as for a pipe that nobody reads. Idempotent; later
    records are dropped. *)

val save : t -> unit
(** [save t] is {!close} for a signal handler that ends the process: it may interrupt any other call
    on [t]. Later records are dropped. *)

val failure : t -> string option
(** [failure t] is why writing failed. *)

val records : t -> int
(** [records t] is how many records have ended. *)

val dropped : t -> int
(** [dropped t] is how many of them were dropped because the disk was too slow or the record longer
    than a block. *)

val lost : t -> int
(** [lost t], after {!close}, is how many records are in no file: those dropped, and those after or
    shortly before a failure. *)

val blocks : t -> int
(** [blocks t] is how many blocks are allocated. *)
