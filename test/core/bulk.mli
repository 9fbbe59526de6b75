(** Bulk flows from one host to another over one bottleneck, under virtual time. *)

open Weir_base
open Weir_core

type flow = {
  connection : Tcb.t;
  stream : Stream.t;
  began : Time.t;
  mutable ended : Time.t;  (** when the last byte was read; {!Time.never} before *)
  mutable half_at : Time.t;  (** when half of the bytes were read *)
  mutable rtt_sum : int;
  mutable rtt_samples : int;
}

type t = { world : World.t; flows : flow list }

val run :
  ?seed:int ->
  ?config:Config.t ->
  ?limit:Time.t ->
  ?changes:(Time.t * Weir_link.Impairment.t) list ->
  ?watch:(Tcb.t -> unit) ->
  ?most:int ->
  ?check:bool ->
  there:Weir_link.Impairment.t ->
  back:Weir_link.Impairment.t ->
  (string * int * Time.t) list ->
  t
(** [run ~there ~back flows] moves the bytes of each flow (algorithm, bytes, start), until all are
    done or [limit] has passed (then their [ended] is {!Time.never}). [changes] replace [there] at
    times from the beginning. [watch] sees each sender whenever something may have happened. With
    [most], a sender writes so many bytes each 10 ms. *)

val mbit : flow -> float
(** [mbit f] is its goodput: bytes read, over the time until the last or until now. *)

val queueing_ms : flow -> base:Time.t -> float
(** [queueing_ms f ~base] is its mean smoothed round trip less [base]. *)
