(** Messages from a flow. A reader reads ahead, so only it may read the flow after {!create}, in one
    fiber at a time. {!Incoming} bounds the bytes that it holds. *)

type t

val create : ?limit:int -> Framing.t -> #Weir_flow.Flow.reader -> t
(** [create framing flow] reads messages of at most [limit] bytes ({!Incoming.default_limit}),
    without the prefix. *)

val of_incoming : Incoming.t -> #Weir_flow.Flow.reader -> t
(** [of_incoming incoming flow] reads frames with [incoming], such as one of {!Incoming.cut}. *)

val read : t -> (Weir_flow.Slice.t, Error.t) result
(** [read t] waits for the next message and is a view of it, valid until the next operation on [t].
    After an error, it returns the same error again.
    @raise Weir_flow.Flow.Error as the flow does. A cancelled read loses no bytes. *)

val receive : t -> 'a Codec.t -> ('a, Error.t) result
(** [receive t codec] is {!read}, decoded. After [Undecodable] the next message can be received. *)

val sequence : t -> 'a Codec.t -> ('a, Error.t) result Seq.t
(** [sequence t codec] is the sequence of the messages that {!receive} returns, up to the stream's
    end, for example those of a file. Each message is read when its element is forced, so use the
    sequence once. An error other than [Undecodable] is the last element. Exceptions of the flow
    pass. *)

val iter : t -> 'a Codec.t -> ('a -> unit) -> Error.t
(** [iter t codec f] calls [f] on each message until one cannot be received, and is that error. *)
