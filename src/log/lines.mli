(** An asynchronous log. Logging never waits and never fails because of the log's reader: lines go
    into a bounded queue, and a thread writes them. A line for which there is no room, or that
    cannot be written (the disk is full, the reader of a pipe is gone), is dropped and counted. Once
    lines can be written again, one line says how many are missing in its place.

    The thread blocks all signals, so handlers run elsewhere, and a broken pipe ends no program.
    Safe from every domain and thread. *)

type t

val create : ?capacity:int -> Unix.file_descr -> t
(** [create fd] writes to [fd], which stays the caller's, blocking or not. At most [capacity] bytes
    (1 MiB) wait in the queue, and as many are being written. The thread belongs to the calling
    domain, which does not end before {!close}. *)

val line : t -> string -> unit
(** [line t s] adds [s] and a newline, to be written within a hundredth of a second. It returns at
    once and does not raise. *)

val lost : t -> int
(** [lost t] is how many lines were dropped so far. *)

val failure : t -> string option
(** [failure t] is why lines were last dropped. *)

val untold : t -> int
(** [untold t] is how many lost lines have not been reported by a line in the log. *)

val close : ?timeout:float -> t -> unit
(** [close t] waits until all is written, at most [timeout] seconds (1), and counts as lost what is
    not; later lines are lost too. It blocks the calling thread. The program may then end, even if
    the thread is still held up. *)
