(** Messages onto a flow. Each is one [write]; its prefix and content stand in one buffer, which is
    used again; what a message needed above 64 KiB is given back. Like its flow a writer is for one
    fiber at a time. *)

type t

val create : ?limit:int -> Framing.t -> #Weir_flow.Flow.writer -> t
(** [create framing flow] writes messages of at most [limit] bytes ({!Incoming.default_limit}),
    prefix not counted. The flow stays the caller's, to flush, shut down and close. *)

val send : t -> 'a Codec.t -> 'a -> unit
(** [send t codec v] returns when the flow has taken the message. A value that cannot be sent leaves
    nothing behind: what [codec.encode] raises passes, and one longer than the limit, or not framed
    by itself with {!Framing.Capnp}, is refused.
    @raise Weir_flow.Flow.Error
      with {!Weir_flow.Flow.Too_long} if it is longer than the limit; and as the flow does. After a
      failed or cancelled write nothing more can be sent ({!Weir_flow.Flow.Closed}).
    @raise Invalid_argument if it is not framed, or if another fiber is sending. *)

val send_all : t -> 'a Codec.t -> 'a Seq.t -> unit
(** [send_all t codec messages] is {!send} of each in turn. *)

val send_bare : t -> (Output.t -> 'a -> unit) -> 'a -> unit
(** [send_bare t encode v] is {!send} of what [encode] appends, without a prefix: a part of what the
    caller frames. *)

val send_bytes : t -> Bytes.t -> off:int -> len:int -> unit
(** [send_bytes t b ~off ~len] sends a message that is encoded already, otherwise as {!send}: by one
    [write] if it is of at most 16 KiB, else by a [writev] of the prefix and of [b] itself. *)
