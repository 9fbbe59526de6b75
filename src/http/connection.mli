(** The server's side of one HTTP/1.1 connection, as a machine that does no input or output (RFC
    9112 §9, RFC 9110 §10.1.1). A driver asks {!next} what to do, does it, says so, and asks again;
    direct style and monads drive it alike ({!Server.serve_connection} is such a driver).

    It keeps requests in order, keeps the connection or closes it, frames responses, gathers those
    of pipelined requests, sends [100 Continue] when the body is first waited for, and reads what a
    handler left of a body, or closes. *)

type t

val create :
  ?gather:int ->
  limits:Limits.t ->
  buffers:Buffers.t ->
  date:(unit -> string) ->
  stop:(unit -> bool) ->
  unit ->
  t
(** [create ~limits ~buffers ~date ~stop ()] is a new connection. [date ()] is the [Date] field's
    value, [""] for none. Once [stop ()] is true each response is the connection's last, and an idle
    connection is closed. At most about [gather] bytes (default 16 KiB) of responses wait for the
    handler of a pipelined request that is already there; 0 sends each before the next handler is
    called. *)

type action =
  | Read_idle  (** receive; nothing of a request has come *)
  | Read_head  (** receive; a request's head is incomplete *)
  | Read_body  (** receive; to drop what a handler left of a body *)
  | Write  (** send {!write_bytes} *)
  | Handle  (** answer {!head} with {!respond} *)
  | Refuse  (** answer {!error} with {!respond}: there is no request to handle *)
  | Fill  (** make bytes of the body in {!fill_space} *)
  | Close  (** the connection is over: {!release} it and close the flow *)

val next : t -> action
(** [next t] is what to do; the same until something was said to [t]. *)

(** {1 Receiving} *)

val read_space : t -> int
(** [read_space t] is how many bytes, at least 1, may be stored at [read_at t] in [read_bytes t]. *)

val read_bytes : t -> Bytes.t
val read_at : t -> int

val received : t -> int -> unit
(** [received t n] says that [n] bytes were stored there; 0 that none will come any more. *)

val unread : t -> bool
(** [unread t] is whether the client may still be sending: whoever closes now should first stop
    sending, then read on for a while, or a reset may overtake the last response (RFC 9112 §9.6). *)

(** {1 Sending} *)

val write_length : t -> int
val write_bytes : t -> Bytes.t

val write_at : t -> int
(** To be sent are the [write_length t] bytes at [write_at t] of [write_bytes t], which must not be
    changed. *)

val written : t -> unit
(** [written t] says that all of them were sent. *)

(** {1 Handling} *)

val head : t -> Request.head
(** [head t] is the request being handled. *)

val logged_head : t -> Request.head option
(** [logged_head t] is the request that the last response answered, [None] if there was none. *)

val request_number : t -> int
(** [request_number t] is how many requests there were so far. *)

val is_current : t -> int -> bool
(** [is_current t n] is whether the body of request number [n] may be read. *)

val has_body : t -> bool

val error : t -> Error.t
(** [error t] is what is wrong with the request, be it its head or its body. *)

val refuse : t -> Error.t -> unit
(** [refuse t e] gives the request up (a time limit, say): {!next} will be [Refuse], or [Close] if
    nothing of a request has come. Only before {!respond}. *)

(** A response's body: what the machine must know of it. *)
type body = Empty | String of string | Sized of int | Unsized

val respond : t -> status:int -> headers:Http.Header.t -> body -> bool
(** [respond t ~status ~headers body] takes the answer to [Handle] or [Refuse]. It is false, and
    nothing happens, if the response is impossible: a status outside 200 to 999, a field name or
    value with bytes that it must not have. *)

val wants_body : t -> bool
(** [wants_body t] is whether [Fill] will be asked for (again) for this response. *)

val responding : t -> bool
(** [responding t] is whether some of the response's body is still to be made or written. *)

val refusing : t -> bool
(** [refusing t] is whether {!next} is [Refuse]. *)

val status : t -> int
val body_sent : t -> int

val cut : t -> bool
(** [status t], [body_sent t], [cut t] are of the last response: its status, the bytes of its body
    made so far, and whether it has ended, or would end now, before its last byte. *)

(** {1 Request bodies}

    Between [Handle] and the end of the response. *)

val read_body : t -> Bytes.t -> off:int -> len:int -> int
(** [read_body t b ~off ~len] moves body bytes into [b]: how many, or {!Body.ended}, or
    {!Body.failed} (see {!error}), or {!Body.more}: send what {!write_length} says, then receive,
    then try again. *)

val body_credit : t -> int
(** [body_credit t] is how many bytes may be received straight into the reader's own buffer, after
    {!Body.more}; often 0. *)

val body_took : t -> int -> unit
(** [body_took t n] says that [n] bytes, at least 1, were received so. *)

(** {1 Bodies made while they are sent} *)

val fill_space : t -> int
(** [fill_space t] is how many bytes, at least 1, may be stored at [fill_at t] in [fill_bytes t].
    Until {!filled} the driver may do no more than read the request's body and write. *)

val fill_bytes : t -> Bytes.t
val fill_at : t -> int

val filled : t -> int -> unit
(** [filled t n] says that [n] bytes were stored; 0 that the body is over. *)

val fill_failed : t -> Error.t -> unit
(** [fill_failed t e] says that the body cannot be made. If nothing of the response was sent yet,
    {!next} is [Refuse]; else the connection closes, which tells the client. *)

val release : t -> unit
(** [release t] gives the buffers back; [t] is over. *)
