(** Calls over one connection, from any number of fibers of one domain at once. *)

open Weir_rpc

type t

val create :
  sw:Eio.Switch.t -> clock:_ Eio.Time.Mono.t -> ?limits:Limits.t -> #Weir_flow.Flow.flow -> t
(** [create ~sw ~clock flow] speaks to the server behind [flow], which it owns: when the connection
    is over, it closes it ({!Weir_flow.Flow.closable}; else it ends its direction, if it can). Its
    fibers are daemons of [sw]; releasing [sw] ends it, and all calls fail.
    @raise Invalid_argument as {!Limits.check}. *)

val call :
  t -> ?timeout_ns:int -> ('request, 'response) Method.t -> 'request -> ('response, Error.t) result
(** [call t m request] waits for the answer, before that for its turn if as many calls are under way
    as the server takes. Answers come in any order.

    After [timeout_ns] (default: none), the time waited for a turn included, it is [Timed_out]; the
    server is told how long it has. A call that timed out or is cancelled is cancelled at the server
    too. When the connection ends, all calls are [Closed]. What encoding [request] raises passes. *)

val close : t -> unit
(** [close t] ends the connection in order: no more calls, those under way are answered, both sides
    end their streams. It returns when that is done; idempotent. To bound the wait, release the
    switch. *)

val state : t -> Error.ending option
(** [state t] is why no more calls can be made, [None] if they can. *)

val await_end : t -> Error.ending
(** [await_end t] waits until the connection is over. *)
