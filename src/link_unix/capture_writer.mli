(** Writes records into a capture by a domain of its own, so that who records does not wait for the
    disk. Records are gathered in blocks, of which there is a bounded number, and a few blocks are
    written together; what is gathered is also written a tenth of a second later if no more comes.

    When the disk is slower than the records come, who records waits for it, but for [patience_ns]
    at most; then records are dropped and counted until the disk has caught up with half of the
    blocks. A failing disk is told once, in a sentence; from then on records are dropped and counted
    too. Nothing raises: whoever records must not fall with its recording. Files only ever end with
    a whole record, unless they are pipes or the process dies in the middle of a write.

    One domain at a time calls these functions. *)

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
(** [create ~header path] makes the file [path], emptying it if it is there; it begins with
    [header]. With [rotation] the files are {!Capture_files.numbered}, and each begins with
    [header]. A FIFO is waited for until it has a reader. The error is a sentence.

    [block] is the bytes of a block (default 256 KiB and a bit, at least a record), [blocks] how
    many there may be (default 64), [patience_ns] is 20 ms. [on_error] gets the sentence when
    writing fails (the default prints it on standard error), [on_drop] is called when the first
    record is dropped because the disk is too slow; both by the domain that records, during
    {!end_record} or {!close}. *)

val write : t -> Bytes.t -> off:int -> len:int -> unit
(** [write t b ~off ~len] appends to the record that is being made; [b] is the caller's again on
    return. It allocates nothing.
    @raise Invalid_argument if [off], [len] are not within [b]. *)

val end_record : t -> unit
(** [end_record t] ends the record. Of a record that is longer than a block nothing is written; it
    counts as dropped. *)

val append : t -> head:Bytes.t -> Bytes.t -> off:int -> len:int -> unit
(** [append t ~head b ~off ~len] is a whole record, [head] and what {!write} is given, in one call.
*)

val close : t -> unit
(** [close t] writes what is gathered and closes the file. It returns when that is done, or when the
    system has taken nothing for [grace_ns] (default 5 s): a pipe that nobody reads, say.
    Idempotent; later records are dropped. *)

val save : t -> unit
(** [save t] is what a signal handler does before the process dies of the signal: as {!close}, but
    it may be called in the middle of any other call here. Nothing is recorded afterwards. *)

val failure : t -> string option
(** [failure t] is why writing failed. *)

val records : t -> int
(** [records t] is how many records have ended. *)

val dropped : t -> int
(** [dropped t] is how many of them the disk was too slow for, or no block long enough. *)

val lost : t -> int
(** [lost t], after {!close}, is how many of them were never written to a file: those dropped, and
    those that came after the failure or shortly before. *)

val blocks : t -> int
(** [blocks t] is how many blocks there are now. *)
