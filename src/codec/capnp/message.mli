(** A Cap'n Proto message to be read in place: one or many segments in one [Bytes], a traversal
    budget, a bound on the memory of values made of it, and a depth limit (Cap'n Proto's encoding
    specification, "Serialization over a stream"). Nothing is copied when a framed message or one
    segment is opened; nothing is looked at before it is read. Not supported: messages of 2 GiB or
    more, structs of more than 16,383 data words or pointers, lists of more than 67,108,863 elements
    (text and data excepted). *)

type error = { at : int;  (** the word of the message *) what : string }

exception Error of error
(** What every function of this library raises on a malformed message, and nothing else. *)

val pp_error : Format.formatter -> error -> unit

type t = private {
  buf : Bytes.t;
  base : int;
  limit : int;  (** the byte where the last segment ends; no load goes past it *)
  near : int;
  starts : int array;
  mutable lo : int;
  mutable hi : int;
  mutable budget : int;
  mutable memory : int;
  depth : int;
}
(** The fields are the library's own: reading functions look at them in place. Nobody else can set
    one. *)

val default_budget : int
(** 8,388,608 words, 64 MiB. *)

val max_depth : int
(** 63 *)

val of_frame : ?memory:int -> ?traversal:int -> ?depth:int -> Bytes.t -> off:int -> len:int -> t
(** [of_frame b ~off ~len] opens a framed message (a segment table, then the segments) without
    copying: [b] belongs to the message while it is read. Bytes after the message are ignored. At
    most [traversal] words are followed in all, a word read twice counting twice; at most [depth]
    pointers are followed in a row. Both default as above. What is made of it (strings, lists,
    records, copies) takes at most [memory] words of 8 bytes in all, by default 16 times the message
    and 1 MB; reading in place makes nothing.
    @raise Error if the table or the segments are cut off.
    @raise Invalid_argument if [off], [len] are not within [b] or [depth] is not 1 to 63. *)

val of_string : ?memory:int -> ?traversal:int -> ?depth:int -> string -> t
(** [of_string s] is {!of_frame} over the whole of [s], which is not copied. *)

val of_segment : ?memory:int -> ?traversal:int -> ?depth:int -> Bytes.t -> off:int -> len:int -> t
(** [of_segment b ~off ~len] is a message of one segment without a table, [len] a multiple of 8. *)

val of_segments : ?memory:int -> ?traversal:int -> ?depth:int -> Bytes.t list -> t
(** [of_segments l] is a message of these segments; they are joined, which copies them once. *)

type extent =
  | Need of int  (** this many bytes at least, in all, before more can be said *)
  | Whole of int  (** the framed message takes this many bytes *)

val extent : Bytes.t -> off:int -> len:int -> extent
(** [extent b ~off ~len] is how long the framed message is that begins at [off], of which [len]
    bytes are there: for cutting a stream. A caller with a bound of its own refuses a large [Need].
    @raise Error if the table says more than 512 segments or 2 GiB. *)

val segments : t -> int

val segment : t -> int -> int * int
(** [segment m i] is the offset in [m.buf] and the length in bytes of segment [i]. *)

val words : t -> int
(** [words m] is the length of all segments together. *)

val set_traversal : t -> int -> unit
(** [set_traversal m n] lets [n] more words be followed. *)

val set_memory : t -> int -> unit
(** [set_memory m n] lets values of [n] more words be made. *)

(**/**)

val max_words : int
val max_segments : int
val table_bytes : int -> int
val fail : int -> string -> 'a

val make : ?memory:int -> traversal:int -> depth:int -> Bytes.t -> int -> int array -> t
(** @raise Invalid_argument unless the segments' starts ascend from 0 and all are within the bytes.
*)

val stray : unit -> 'a
val u32 : Bytes.t -> int -> int
val enter : t -> int -> unit
val charge : t -> int -> int -> unit

val spend : t -> int -> int -> unit
(** [spend m at n] counts [n] words of values made of what is at word [at]. *)

val copy_with_memory : t -> int -> t

(** The bounds of the segment last entered are what pointers are checked against, so a wrong one
    lets a reader go outside of the message. *)
module Unsafe : sig
  val set_bounds : t -> int -> int -> unit
end
