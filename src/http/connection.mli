(** The server's side of one HTTP/1.1 connection, as a state machine without input or output (RFC
    9112 §9, RFC 9110 §10.1.1). A driver calls {!next}, performs the action, reports the result, and
    calls {!next} again. The driver may be in direct style or in a monad; {!Server.serve_connection}
    is one.

    The machine answers requests in order, decides whether the connection persists, frames
    responses, gathers those of pipelined requests, and sends [100 Continue] when the handler first
    waits for the body. It reads and drops the rest of a body that the handler did not read, or
    closes. *)

type t

val create :
  ?gather:int ->
  limits:Limits.t ->
  buffers:Buffers.t ->
  date:(unit -> string) ->
  stop:(unit -> bool) ->
  unit ->
  t
(** [create ~limits ~buffers ~date ~stop ()] is a new connection. [date ()] is the value of the
    [Date] field, [""] for none. Once [stop ()] is true, each response is the connection's last, and
    an idle connection is closed. Responses to pipelined requests are gathered until they have about
    [gather] bytes (default 16 KiB); with 0, each response is sent before the next handler is
    called. *)

type action =
  | Read_idle  (** receive; nothing of a request has come *)
  | Read_head  (** receive; a request's head is incomplete *)
  | Read_body  (** receive; the rest of a body that the handler did not read is dropped *)
  | Write  (** send {!write_bytes} *)
  | Handle  (** answer {!head} with {!respond} *)
  | Refuse  (** answer {!error} with {!respond}: there is no request to handle *)
  | Fill  (** store bytes of the body in {!fill_space} *)
  | Close  (** the connection is over: {!release} it and close the flow *)

val next : t -> action
(** [next t] is the next action; the same until a result has been reported to [t]. *)

(** {1 Receiving} *)

val read_space : t -> int
(** [read_space t] is how many bytes, at least 1, may be stored at [read_at t] in [read_bytes t]. *)

val read_bytes : t -> Bytes.t
val read_at : t -> int

val received : t -> int -> unit
(** [received t n] says that [n] bytes were stored there; [n = 0] is the end of the input. *)

val unread : t -> bool
(** [unread t] is whether the client may still be sending. Then the driver should close only its
    sending direction and go on reading for a while; otherwise a reset may destroy the last response
    (RFC 9112 §9.6). *)

(** {1 Sending} *)

val write_length : t -> int
val write_bytes : t -> Bytes.t

val write_at : t -> int
(** The bytes to send are the [write_length t] bytes of [write_bytes t] from [write_at t] on. The
    driver must not change them. *)

val write_text : t -> string option
(** [write_text t] is the string that {!write_bytes} are, if they are one. *)

val written : t -> unit
(** [written t] says that all these bytes were sent. *)

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
(** [error t] is the error in the request's head or body. *)

val refuse : t -> Error.t -> unit
(** [refuse t e] gives up the request, after a time limit for example. {!next} is then [Refuse], or
    [Close] if no byte of a request has arrived. To be called only before {!respond}. *)

(** The body of a response: empty, a string, a stream of known length, or of unknown length. *)
type body = Empty | String of string | Sized of int | Unsized

val respond : t -> status:int -> headers:Http.Header.t -> body -> bool
(** [respond t ~status ~headers body] answers [Handle] or [Refuse]. It is false, and changes
    nothing, if the response cannot be sent: a status outside 200 to 999, or a forbidden byte in a
    field name or value. *)

val wants_body : t -> bool
(** [wants_body t] is whether {!next} will be [Fill] for this response (again). *)

val responding : t -> bool
(** [responding t] is whether some of the response's body is still to be made or written. *)

val refusing : t -> bool
(** [refusing t] is whether {!next} is [Refuse]. *)

val status : t -> int
val body_sent : t -> int

val cut : t -> bool
(** [status t], [body_sent t], [cut t] describe the last response: its status, the bytes of its body
    made so far, and whether it ended, or would end now, before its last byte. *)

(** {1 Request bodies}

    Between [Handle] and the end of the response. *)

val read_body : t -> Bytes.t -> off:int -> len:int -> int
(** [read_body t b ~off ~len] moves body bytes into [b]. It is their number, or {!Body.ended}, or
    {!Body.failed} (see {!error}), or {!Body.more}. After {!Body.more} the driver sends the bytes to
    write, receives, and tries again. *)

val body_credit : t -> int
(** [body_credit t] is how many bytes may be received directly into the reader's buffer, after
    {!Body.more}; often 0. *)

val body_took : t -> int -> unit
(** [body_took t n] says that [n] bytes, at least 1, were received directly. *)

(** {1 Bodies made while they are sent} *)

val fill_space : t -> int
(** [fill_space t] is how many bytes, at least 1, may be stored at [fill_at t] in [fill_bytes t].
    Until {!filled} the driver may only read the request's body and write. *)

val fill_bytes : t -> Bytes.t
val fill_at : t -> int

val filled : t -> int -> unit
(** [filled t n] says that [n] bytes were stored; [n = 0] is the end of the body. *)

val sends_directly : t -> int
(** [sends_directly t] is how many bytes of the body the driver may send by itself in place of
    filling; 0 if there is something to write before, or the length is not known. *)

val sent_directly : t -> int -> unit
(** [sent_directly t n] says that the driver has sent [n] bytes of the body, at least 1.
    @raise Invalid_argument if [n > sends_directly t]. *)

val cut_off : t -> unit
(** [cut_off t] says that the rest of the body cannot be made: the connection closes. *)

val fill_failed : t -> Error.t -> unit
(** [fill_failed t e] says that making the body failed. If no byte of the response was sent yet,
    {!next} is [Refuse]. Otherwise the connection closes, which shows the client that the body is
    incomplete. *)

val scrap : t -> Bytes.t
(** [scrap t] is space for bytes that are not wanted, after [Close]. *)

val release : t -> unit
(** [release t] gives the buffers back. [t] must not be used afterwards. *)
