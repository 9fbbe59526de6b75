(** What is sent, and what it cost to send it. *)

val chunk : int
(** Bytes of one write: 128 KiB. *)

val piece : int -> string
(** [piece n] is [n] bytes to send, at most {!chunk}. All of {!chunk} are always the same string,
    which Weir sends without a copy. *)

val datagram : int
(** Bytes of one UDP datagram: what fills an MTU of 1500. *)

val page : string
(** The text of 2,053 bytes that HTTP answers, as long as the study's. *)

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
(** [watch ~bytes] begins now and is [(seen, readings)]. Call [seen total] during a transfer of
    [bytes]. At each of four marks it reads the rate, the time so far and the live words; the time
    to count them is left out. A metric ends in [/30] for the mark at 30 MB. *)

val words : meter -> float
(** [words m] is the minor words allocated since. *)

val per_segment : meter -> segments:int -> Reading.t
(** [per_segment m ~segments] is the minor words allocated since, a segment. *)

val end_ : meter -> bytes:int -> segments:int -> Reading.t list
(** [end_ m ~bytes ~segments] is the rate by the wall clock and by the processor's, the time, the
    bytes, the minor words a segment, and then {!live_words}. *)
