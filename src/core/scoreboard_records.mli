(** The records of {!Scoreboard}: where they are stored, their fields and flags, the lists that they
    are in, and the search for a sequence number. Record numbers always increase; [head] to
    [tail - 1] are in use. *)

open Weir_base

type t = {
  mutable ring : int array;  (** {!words} for a record; its length is a power of two, or 0 *)
  mutable rate : Delivery_rate.t;
  mutable rated : bool;  (** [stamps] is in use *)
  mutable stamps : int array;  (** [Delivery_rate.stamp_words] for a record *)
  mutable head : int;
  mutable tail : int;
  mutable upto : Seq.t;  (** the end of the last record *)
  mutable first : int;  (** in flight, the one sent first; -1 if none *)
  mutable last : int;
  mutable lost_first : int;  (** lost, the one to send next; -1 if none *)
  mutable lost_last : int;
  mutable in_flight : int;  (** bytes *)
  mutable lost : int;  (** bytes *)
  mutable sacked_segments : int;
  mutable delivered : int;
  mutable newly_lost : int;
  mutable late : bool;
  mutable lost_sent_at : Time.t;
  mutable most : int;  (** records *)
  mutable mss : int;
  mutable stamp : Time.t;  (** the last time of sending *)
}
(** Sums without a comment are {!Scoreboard}'s functions of that name. *)

val create : unit -> t

val words : int
(** The length of a record. *)

(** {1 Flags} *)

val f_sacked : int
(** Selectively acknowledged, or marked by a duplicate ACK: in neither list. *)

val f_lost : int

val f_again : int
(** It was sent again. *)

val f_told : int
(** Its delivery was counted. *)

val flag_bits : int
(** How many bits they take. *)

(** {1 Fields}

    Of record [i], which must be in use. *)

val at : t -> int -> int
(** [at t i] is its place in [ring]. *)

val stamp_at : t -> int -> int
(** [stamp_at t i] is its place in [stamps]. *)

val mark : t -> int -> int
(** [mark t i] is its sequence number and flags, in one. *)

val seq : t -> int -> Seq.t
val end_of : t -> int -> Seq.t
val length : t -> int -> int
val has : t -> int -> int -> bool
val set_flag : t -> int -> int -> unit
val clear_flag : t -> int -> int -> unit
val sent_at : t -> int -> Time.t
val set_sent_at : t -> int -> Time.t -> unit

val next : t -> int -> int
(** [next t i] is the next in its list, or -1. In no list, it is a record after [i] up to which all
    are selectively acknowledged. *)

val set_next : t -> int -> int -> unit
val prev : t -> int -> int
val set_prev : t -> int -> int -> unit
val records : t -> int
val is_empty : t -> bool

(** {1 The two lists}

    A record is in flight, or lost, or in neither list. These keep [in_flight] and [lost]. *)

val unlink : t -> int -> unit
(** [unlink t i] takes it out of the list that it is in. Its flags stay. *)

val append : t -> int -> unit
(** [append t i] puts it last among those in flight. *)

val append_lost : t -> int -> unit
(** [append_lost t i] makes it lost, to be sent after the others. *)

val prepend_lost : t -> int -> unit
(** [prepend_lost t i] makes it lost, to be sent before the others. *)

val forget_lists : t -> unit
(** [forget_lists t] makes both lists empty, and all sums 0 that are of the records. *)

(** {1 The search} *)

val search : t -> Seq.t -> int -> int -> int
(** [search t s low high] is the first record from [low] on that begins at [s] or beyond, [high] if
    there is none before it. *)

val holding : t -> Seq.t -> int
(** [holding t s] is the record that contains [s], or -1. *)
