(** A peer in another language: a process that reads and writes the study's message and measures
    itself. [lab/peers/README.md] describes the requests and answers. *)

type t

val start : string -> format:string -> message:string -> (t, string) result
(** [start program ~format ~message] is a peer that has read [message] and written it back as the
    same bytes. An [Error] says why there is none. *)

val run : t -> string -> int -> Weir_lab_harness.Measure.took
(** [run t test n] asks the peer for [n] runs of [test].
    @raise Failure if it ends, is silent for a minute, or answers something else. *)

val stop : t -> unit
(** [stop t] ends the process. Do not use [t] after that. *)
