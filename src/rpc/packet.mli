(** The protocol between client and server. Each packet is a frame with a length of 4 bytes
    ({!Weir_message.Framing}): a byte for its kind, numbers as varints, then the other data.

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

    Ids are the client's, each greater than the one before. Each call is answered by one reply or
    failure, also if it was cancelled. A client calls when it has the server's hello, and keeps to
    the [calls] that it says may be unanswered, and to its [message] bytes in a frame. After its
    goodbye the server refuses calls; the client says goodbye too, and ends its direction when all
    are answered, then the server does. A client that has said goodbye calls no more, and may end
    its direction at once and wait for its answers; one that ends it with calls unanswered and has
    not is taken to have died: its calls are cancelled. So is one that ends it though it has to say
    more: a stream of requests is not ended, or one of responses under way, which needs credit.

    Open is a call with streams: shape 1 of requests, 2 of responses, 3 of both; only 2 has a
    request in the packet, of at most the server's window. Items are the messages of its streams;
    the client's stream ends with end, the server's with the call's answer, which after a stream of
    responses is an empty reply, or a failure. Each side may send so many bytes of a stream as the
    other's hello gave with [window] (none, if that is absent) and as each credit adds; an item
    costs its message and 32, together at most half a window. Credit is given back before half a
    window is withheld, so that there always comes enough for the next. What comes for a call that
    the server has answered is dropped; a credit that makes more than [window] is a violation, as is
    all else that cannot be. *)

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
