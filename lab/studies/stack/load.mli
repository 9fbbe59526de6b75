(** The data of transfers, and meters of their cost. *)

val chunk : int
(** Bytes of one write: 128 KiB. *)

val piece : int -> string
(** [piece n] is [n] bytes to send, at most {!chunk}. All of {!chunk} are always the same string,
    which Weir sends without a copy. *)

val datagram : int
(** Bytes of one UDP datagram: the most for an MTU of 1500. *)

val page : string
(** The HTTP response's text of 2,053 bytes, as in the study. *)

val port : int
(** The port of bulk servers. *)

val http_port : int

(** {1 Meters} *)

val live_words : unit -> float
(** [live_words ()] is the words in use on the heap, after a major collection. *)

type meter

val begin_ : unit -> meter
(** [begin_ ()] notes the clocks and the words allocated so far, after a major collection. *)

val watch : bytes:int -> (int -> unit) * (unit -> Reading.t list)
(** [watch ~bytes] begins now and is [(seen, readings)]. Call [seen total] with the bytes so far
    during a transfer of [bytes]. At each of four marks it measures the rate, the time so far and
    the live words; the time of this measurement is subtracted. The metrics of the mark at 30 MB end
    in [/30]. *)

val words : meter -> float
(** [words m] is the minor words allocated since {!begin_}. *)

val per_segment : meter -> segments:int -> Reading.t
(** [per_segment m ~segments] is the same for each segment. *)

val end_ : meter -> bytes:int -> segments:int -> Reading.t list
(** [end_ m ~bytes ~segments] is the rate by wall time and by processor time, the time, the bytes,
    the minor words for each segment, and {!live_words}. *)
