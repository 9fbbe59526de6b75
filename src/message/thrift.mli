(** Thrift: structs as {!Codec}s, and services over Thrift's framed transport ([TFramedTransport]),
    in both protocols. *)

(** What weir-thrift generates for a struct, a union or an exception. *)
module type STRUCT = sig
  type t

  val read : Weir_thrift.Reader.t -> t
  val write : Weir_thrift.Writer.t -> t -> unit
end

val value :
  name:string -> Weir_thrift.Kind.protocol -> (module STRUCT with type t = 'a) -> 'a Codec.t
(** [value ~name Compact (module Payload)] *)

(** {1 Services} *)

val client :
  ?limit:int -> Weir_thrift.Kind.protocol -> #Weir_flow.Flow.flow -> Weir_thrift.Rpc.client
(** [client protocol flow] calls the server behind [flow], for a generated [Client]: one call at a
    time. A call raises {!Failed} when the stream ends or is no such stream, what the flow raises
    when that fails, and whatever the generated function says. After {!Failed}, a flow's failure or
    a cancellation the reply that belongs to the next call is not known any more: all later calls
    raise [Failed End]. A request that is too long is refused and nothing is sent. Replies are at
    most [limit] bytes ({!Incoming.default_limit}).
    @raise Invalid_argument from a call while another is under way. *)

exception Failed of Error.t

val serve :
  ?limit:int ->
  ?report:(exn -> unit) ->
  Weir_thrift.Kind.protocol ->
  (string -> Weir_thrift.Reader.t -> (Weir_thrift.Writer.t -> unit) option) ->
  #Weir_flow.Flow.flow ->
  Error.t
(** [serve protocol dispatch flow] answers calls, one after the other, until the stream ends, and is
    why it ended: [End] if in order, [Undecodable] if a frame held no call. What the handler raises
    and the service does not declare is given to [report] and answered with an internal error, or
    passes if [report] raises it. What ends a cancelled fiber ({!Weir_flow.Flow.is_cancellation})
    passes unreported, without an answer. What [flow] raises passes, and [Flow.Too_long] of an
    answer longer than [limit]. *)
