(** Appends to a file through a buffer of fixed size. A failing disk is told once, in a sentence;
    from then on what is written is dropped and counted, and nothing raises: whoever records must
    not fall with its recording. *)

type t

val create : ?buffer:int -> ?on_error:(string -> unit) -> string -> (t, string) result
(** [create path] makes the file [path], emptying it if it is there. [buffer] bytes (default 64 KiB)
    are gathered before they are written. [on_error] gets the sentence when writing fails (the
    default prints it on standard error). The error of [create] is such a sentence too. *)

val write : t -> Bytes.t -> off:int -> len:int -> unit
(** [write t b ~off ~len] appends; [b] is the caller's again on return. It may block on the disk.
    @raise Invalid_argument if [off], [len] are not within [b]. *)

val end_record : t -> unit
(** [end_record t] says that what was written so far ends with a whole record. When writing fails
    the file is cut back to the last such end that it has, if it can be cut. *)

val lost_records : t -> int
(** [lost_records t] is how many of the records that ended are not in the file. *)

val flush : t -> unit
(** [flush t] hands what is gathered to the operating system. *)

val close : t -> unit
(** [close t] flushes and closes the file. Idempotent; later writes are dropped and counted. *)

val failed : t -> bool
(** [failed t] says that an error was told. *)

val written : t -> int
(** [written t] is how many bytes {!write} was given, those dropped included. *)

val dropped : t -> int
(** [dropped t] is how many bytes were given but are not in the file: after an error, those that
    were gathered too; after [close]. *)
