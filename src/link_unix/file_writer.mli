(** Appends to a file through a buffer of fixed size. If writing fails, the error is reported once;
    later writes are dropped and counted. No function raises for this: a failed recording must not
    end the program that records. *)

type t

val create : ?buffer:int -> ?on_error:(string -> unit) -> string -> (t, string) result
(** [create path] creates the file [path], or empties it if it exists. [buffer] bytes (default 64
    KiB) are gathered before they are written. [on_error message] is called when writing fails
    (default: it prints [message] on standard error). Both errors are messages for users. *)

val write : t -> Bytes.t -> off:int -> len:int -> unit
(** [write t b ~off ~len] appends [len] bytes of [b] from [off] on. The caller may reuse [b]
    afterwards. It may block on the disk.
    @raise Invalid_argument if [off], [len] are not within [b]. *)

val end_record : t -> unit
(** [end_record t] says that a record ends here. If writing fails, the file is cut after its last
    whole record, if possible. *)

val lost_records : t -> int
(** [lost_records t] is how many records given to {!end_record} are not in the file. *)

val flush : t -> unit
(** [flush t] writes the buffered bytes to the file. *)

val close : t -> unit
(** [close t] flushes and closes the file. Idempotent; later writes are dropped and counted. *)

val failed : t -> bool
(** [failed t] is true once an error was reported. *)

val written : t -> int
(** [written t] is how many bytes were given to {!write}, dropped ones included. *)

val dropped : t -> int
(** [dropped t] is how many bytes were given to {!write} but are not in the file, because of an
    error or after {!close}. *)
