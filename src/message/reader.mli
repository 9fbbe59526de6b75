(** Messages from a flow. A reader reads ahead, so from its making on the flow is read by it alone;
    one fiber at a time. How much it holds is {!Incoming}'s to say. *)

type t

val create : ?limit:int -> Framing.t -> #Weir_flow.Flow.reader -> t
(** [create framing flow] reads messages of at most [limit] bytes ({!Incoming.default_limit}),
    prefix not counted. *)

val of_incoming : Incoming.t -> #Weir_flow.Flow.reader -> t
(** [of_incoming incoming flow] reads what {!Incoming.cut} cuts. *)

val read : t -> (Weir_flow.Slice.t, Error.t) result
(** [read t] waits for the next message and is a view of it until the next operation on [t]. Each
    way that a stream can end is its own {!Error.t}, and once it ended, always the same.
    @raise Weir_flow.Flow.Error as the flow does. A cancelled read has taken nothing. *)

val receive : t -> 'a Codec.t -> ('a, Error.t) result
(** [receive t codec] is the next message decoded. After [Undecodable] the next can be received. *)

val sequence : t -> 'a Codec.t -> ('a, Error.t) result Seq.t
(** [sequence t codec] is the messages that {!receive} gives, each as it is asked for, up to the
    stream's end: a file of delimited messages. Another error but [Undecodable] is the last element.
    It is to be gone through once. What the flow raises passes. *)

val iter : t -> 'a Codec.t -> ('a -> unit) -> Error.t
(** [iter t codec f] calls [f] on each message until one cannot be received, and is why. *)
