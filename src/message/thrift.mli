(** Thrift: structs as {!Codec}s, and services over Thrift's framed transport ([TFramedTransport]),
    in both protocols. *)

(** The module that weir-thrift generates for a struct, a union or an exception. *)
module type STRUCT = sig
  type t

  val read : Weir_thrift.Reader.t -> t
  val write : Weir_thrift.Writer.t -> t -> unit
end

val value :
  name:string -> Weir_thrift.Kind.protocol -> (module STRUCT with type t = 'a) -> 'a Codec.t
(** [value ~name protocol (module Payload)] is a codec in [protocol]. *)

(** {1 Services} *)

val client :
  ?limit:int -> Weir_thrift.Kind.protocol -> #Weir_flow.Flow.flow -> Weir_thrift.Rpc.client
(** [client protocol flow] calls the server behind [flow], for a generated [Client]: one call at a
    time. A call raises {!Failed} if the stream ends or is malformed, the flow's exception if the
    flow fails, and the exceptions of the generated function. After {!Failed}, a failure of the flow
    or a cancellation, replies can no longer be matched to calls, so all later calls raise
    [Failed End]. A request that is too long is not sent. [limit] (default
    {!Incoming.default_limit}) bounds requests and replies.
    @raise Invalid_argument from a call during another call. *)

exception Failed of Error.t

val serve :
  ?limit:int ->
  ?report:(exn -> unit) ->
  Weir_thrift.Kind.protocol ->
  (string -> Weir_thrift.Reader.t -> (Weir_thrift.Writer.t -> unit) option) ->
  #Weir_flow.Flow.flow ->
  Error.t
(** [serve protocol dispatch flow] answers calls, one after the other, until the stream ends. It
    returns the reason: [End] at an orderly end, [Undecodable] for a frame without a call. If the
    handler raises an exception that the service does not declare, [report] is called and the answer
    is an internal error; an exception of [report] passes. Cancellations
    ({!Weir_flow.Flow.is_cancellation}) pass without report or answer. Exceptions of [flow] pass,
    and [Flow.Too_long] for an answer longer than [limit]. *)
