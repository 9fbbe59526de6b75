(** A bounded number of memory blocks, which one domain, the producer, fills with records and
    another, the consumer, empties. The producer has one block, the current one, until it hands it
    over for another. Emptied blocks are reused, the last one first: as long as the consumer keeps
    up there are few, and they stay in the processor's cache. No call waits for the other domain. *)

type block = {
  bytes : Cstruct.t;
  mutable whole : int;
      (** the bytes of whole records and the number of records: see {!bytes_of} and {!records_of}.
          It is not an [Atomic.t], which would cost a fence for each record. So while the block is
          being filled, the consumer may use a value only some time after it has read it. *)
  mutable saved : int;  (** how many of these bytes the consumer has written *)
  mutable saved_records : int;
  mutable ends_file : bool;  (** the next block begins another file *)
}

val bytes_of : int -> int
val records_of : int -> int

val whole : bytes:int -> records:int -> int
(** [whole ~bytes ~records] packs both into one word. *)

type t

val create : size:int -> most:int -> t
(** [create ~size ~most] has blocks of [size] bytes, allocated when needed, at most [most] (at least
    2). *)

(** {1 For the producer} *)

val current : t -> block
(** [current t] is the block being filled. The consumer may read it too: if {!waiting} is 0
    afterwards, there is no older block. *)

val take : t -> block option
(** [take t] is an empty block, [None] if [most] blocks are in use. *)

val hand_over : t -> block -> unit
(** [hand_over t next] gives the current block to the consumer and makes [next], a block from
    {!take}, the current one. *)

val made : t -> int
(** [made t] is how many blocks are allocated. *)

val waiting : t -> int
(** [waiting t] is how many blocks were handed over and not yet given back. *)

(** {1 For the consumer} *)

val pop : t -> block option
(** [pop t] takes the block that was handed over first, if there is one. *)

val give_back : t -> block -> unit
(** [give_back t b] lets the producer use [b], a block from {!pop}, again. *)
