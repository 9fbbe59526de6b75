(** The protocol between client and server. Each packet is a frame with a length of 4 bytes
    ({!Weir_message.Framing}). It has a byte for its kind, numbers as varints, and then the other
    data.

    {v
    0 hello    "WEIR" version message calls window
                                                first, from either side; the server need not wait
    1 call     id microseconds length name, request
    2 reply    id, response
    3 failure  id code, message
    4 cancel   id
    5 goodbye                                   from either side
    6 open     id microseconds length name shape, request
    7 item     id, message                      from either side
    8 end      id
    9 credit   id bytes                         from either side
    v}

    The client chooses ids, each greater than the one before. Each call is answered by one reply or
    failure, even if it was cancelled. A client waits for the server's hello before its first call.
    It may have at most [calls] unanswered calls, and a frame at most [message] bytes.

    After its goodbye the server refuses calls. The client then sends a goodbye too, and ends its
    stream when all calls are answered; then the server ends its own. After its own goodbye a client
    makes no more calls; it may end its stream at once and wait for the answers. If a client ends
    its stream with unanswered calls and without a goodbye, or with open streams (a stream of
    requests that has not ended, or a stream of responses, which needs credit), it counts as dead,
    and its calls are cancelled.

    An open packet is a call with streams: of requests (shape 1), of responses (2) or of both (3).
    Only shape 2 has a request in the packet, of at most the server's window. Items are the messages
    of streams. An end packet ends the client's stream; the call's answer, an empty reply or a
    failure, ends the server's.

    A side may send as many bytes of a stream as the [window] in the other's hello (0 if absent) and
    later credits allow. An item counts as its message's length plus 32, at most half a window. A
    receiver gives credit back before it withholds half a window, so there is always enough for the
    next item. Packets for a call that the server has answered are dropped. A credit that would
    exceed [window] is a violation, and so is any other invalid packet. *)

type t =
  | Hello of { message : int; calls : int; window : int }
  | Call of {
      id : int;
      timeout_us : int;  (** 0 for none *)
      name : string;
      shape : Method.shape;
      at : int;
    }  (** call or open; the request is from offset [at] to the packet's end *)
  | Reply of { id : int; at : int }
  | Failure of { id : int; failure : Failure.t }
  | Cancel of int
  | Goodbye
  | Item of { id : int; at : int }
  | End of int
  | Credit of { id : int; bytes : int }

val small : int
(** 2,048: packets without a value are shorter, and so is a call without its request. *)

val max_window : int
(** 2{^ 60}: a larger window counts as this. *)

val decode : Weir_flow.Slice.t -> (t, string) result

(** {1 Writing}

    For packets that carry a value, the caller appends it. *)

val hello : Weir_message.Output.t -> Limits.t -> unit
val call : Weir_message.Output.t -> id:int -> timeout_us:int -> Method.shape -> string -> unit
val reply : Weir_message.Output.t -> int -> unit

val failure : Weir_message.Output.t -> int -> Failure.t -> unit
(** The message is cut at 1,024 bytes. *)

val cancel : Weir_message.Output.t -> int -> unit
val goodbye : Weir_message.Output.t -> unit
val item : Weir_message.Output.t -> int -> unit
val end_ : Weir_message.Output.t -> int -> unit
val credit : Weir_message.Output.t -> int -> int -> unit
