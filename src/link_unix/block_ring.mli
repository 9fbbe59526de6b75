(** Blocks of memory that one domain fills with records and another one empties, at most so many.

    Who fills has one block, the current one, until it hands it over for another. Blocks that were
    emptied are filled again, the latest first: as long as the other domain keeps up there are few,
    and they stay in the processor's cache. No call waits for the other domain. *)

type block = {
  bytes : Cstruct.t;
  mutable whole : int;
      (** the bytes of whole records, and their number: see {!bytes_of}. While the block is being
          filled, another domain may rely on a value that it read some time ago only: this is no
          [Atomic.t], which would cost a fence a record. *)
  mutable saved : int;  (** bytes of them that were written: for who empties *)
  mutable saved_records : int;
  mutable ends_file : bool;  (** the next block begins another file *)
}

val bytes_of : int -> int
val records_of : int -> int

val whole : bytes:int -> records:int -> int
(** [whole ~bytes ~records] is both in one word. *)

type t

val create : size:int -> most:int -> t
(** [create ~size ~most] has blocks of [size] bytes, never more than [most] (at least 2), which are
    made when they are needed. *)

(** {1 For who fills} *)

val current : t -> block
(** [current t] is the block being filled. Who empties may look into it too: if {!waiting} is 0
    afterwards, nothing older is left. *)

val take : t -> block option
(** [take t] is an empty block, [None] if there are [most] and all are in use. *)

val hand_over : t -> block -> unit
(** [hand_over t next] gives the current block to who empties; [next], which was taken, is the
    current one. *)

val made : t -> int
(** [made t] is how many blocks there are. *)

val waiting : t -> int
(** [waiting t] is how many blocks were handed over and are not given back. *)

(** {1 For who empties} *)

val pop : t -> block option
(** [pop t] is the block handed over first of those there are. *)

val give_back : t -> block -> unit
(** [give_back t b] has [b], which was popped, filled again. *)
