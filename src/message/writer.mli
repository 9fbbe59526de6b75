(** Messages to a flow. Each message is one [write] of a reused buffer with prefix and content; a
    buffer above 64 KiB is freed afterwards. A writer, like its flow, is for one fiber at a time. *)

type t

val create : ?limit:int -> Framing.t -> #Weir_flow.Flow.writer -> t
(** [create framing flow] writes messages of at most [limit] bytes ({!Incoming.default_limit}),
    without the prefix. The caller keeps the flow, to flush, shut down and close it. *)

val send : t -> 'a Codec.t -> 'a -> unit
(** [send t codec v] returns when the flow has taken the message. If the value cannot be sent,
    nothing is written: exceptions of [codec.encode] pass, and a message is refused if it is longer
    than the limit or, with {!Framing.Capnp}, is not one message with a segment table.
    @raise Weir_flow.Flow.Error
      with {!Weir_flow.Flow.Too_long} if the message is longer than the limit; and as the flow does.
      After a failed or cancelled write nothing more can be sent ({!Weir_flow.Flow.Closed}).
    @raise Invalid_argument
      if the bytes are not a frame of {!Framing.Capnp}, or if another fiber is sending. *)

val send_all : t -> 'a Codec.t -> 'a Seq.t -> unit
(** [send_all t codec messages] is {!send} of each in turn. *)

val send_bare : t -> (Output.t -> 'a -> unit) -> 'a -> unit
(** [send_bare t encode v] is {!send} of the bytes that [encode] appends, without a prefix, for
    callers that make frames themselves. *)

val send_bytes : t -> Bytes.t -> off:int -> len:int -> unit
(** [send_bytes t b ~off ~len] is {!send} for an encoded message. Up to 16 KiB it is one [write];
    above, a [writev] of the prefix and of [b] itself. *)
