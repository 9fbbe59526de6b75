(** What the parts of a gateway share: what its user wants, the table of UDP pairs, records, and
    what errors outside mean inside. *)

open Eio.Std

type pair = { mutable last_ns : int64; stop : unit Eio.Promise.u }
(** Datagrams: when the last one passed, and how to end the pair. *)

type t = {
  clock : Eio.Time.Mono.ty r;
  decide : Record.protocol -> Ipaddr.t * int -> Decision.t;
  began : Record.t -> unit;
  ended : Record.t -> unit;
  limit : Record.t -> Decision.limit option;
  connect_timeout_ns : int;
  idle_ns : int -> int;
  datagrams : sw:Switch.t -> Ipaddr.t * int -> Outside.datagrams;
  max_connections : int;
  max_flows : int;
  pairs : (int, pair) Hashtbl.t;  (** by number *)
  next_number : unit -> int;
  mutable connections : int;
  mutable pings : int;
}

val now : t -> int64
val span : int -> Mtime.Span.t

val recorded :
  t ->
  Record.protocol ->
  source:Ipaddr.t * int ->
  destination:Ipaddr.t * int ->
  (Record.t -> Record.ending) ->
  unit
(** [recorded t p ~source ~destination f] runs [f r], which says how [r] ended. If it is cancelled,
    that is the end. *)

val reason_of : Unix.error -> Decision.reason option
(** [reason_of e] is what the client is to be told of [e], so that it sees the same error. *)

val failure : exn -> [ `Refuse | `Drop | `Unreachable of Decision.reason ] * Record.ending
(** [failure e] is what becomes of a client whose connection outside failed by [e]. *)
