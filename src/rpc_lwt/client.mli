(** Calls over one connection, as many at once as one likes. *)

open Weir_rpc

type t

val create :
  ?switch:Lwt_switch.t ->
  clock:Clock.t ->
  ?limits:Limits.t ->
  #Weir_flow_lwt.Flow_lwt.flow ->
  t
(** [create ~clock flow] speaks to the server behind [flow], which it owns: when the connection is
    over, it closes it ({!Weir_flow_lwt.Flow_lwt.closable}; else it ends its direction, if it can).
    Turning [switch] off is {!abort}.
    @raise Invalid_argument as {!Limits.check}. *)

val call :
  t ->
  ?timeout_ns:int ->
  ('request, 'response) Method.t ->
  'request ->
  ('response, Error.t) result Lwt.t
(** [call t m request] is resolved with the answer; it waits for its turn if as many calls are under
    way as the server takes. Answers come in any order.

    After [timeout_ns] (default: none), the time waited for a turn included, it is [Timed_out]; the
    server is told how long it has. A call that timed out, or whose promise is cancelled, is
    cancelled at the server too. When the connection ends, all calls are [Closed]. What encoding
    [request] raises rejects the promise. *)

val close : t -> unit Lwt.t
(** [close t] ends the connection in order: no more calls, those under way are answered, both sides
    end their streams. It is resolved when that is done; idempotent. To bound the wait, {!abort}. *)

val abort : t -> unit
(** [abort t] ends the connection at once: all calls are [Closed Stopped]. Idempotent. *)

val state : t -> Error.ending option
(** [state t] is why no more calls can be made, [None] if they can. *)

val await_end : t -> Error.ending Lwt.t
(** [await_end t] is resolved when the connection is over, and its flow closed. *)
