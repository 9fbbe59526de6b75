(** An HTTP/1.1 server for one flow at a time: the direct-style driver of {!Connection}. The caller
    accepts connections and provides the clock and concurrency.

    Not supported: CONNECT (501), Upgrade (ignored), transfer codings except chunked, trailers
    (checked and dropped), compression, a minimum rate of request bodies (each wait is limited, not
    their sum). *)

exception Timed_out

type timer = { with_timeout : 'a. int -> (unit -> 'a) -> 'a }
(** [with_timeout ns f] is [f ()]; after [ns] nanoseconds it cancels [f ()] and raises {!Timed_out}.
*)

type timeouts = {
  idle : int;  (** from one request to the first byte of the next; after it the connection closes *)
  head : int;
      (** from the first byte of a request to the end of its head; after it 408. Also from the start
          of the connection to its first byte; after it the connection closes. *)
  body : int;  (** each wait for bytes of a body; after it 408 *)
  write : int;
      (** each write of at most 64 KiB or one head; after it the caller should reset the connection
      *)
  linger : int;  (** waiting for the client to close after the server has closed its direction *)
}
(** Nanoseconds; {!Weir_base.Time.never} for no limit. *)

val default_timeouts : timeouts
(** 60 s, 10 s, 30 s, 30 s and 2 s. *)

type t
(** The state that all connections of a server share. Safe to share between domains. *)

val create :
  ?limits:Limits.t ->
  ?timeouts:timeouts ->
  ?timer:timer ->
  ?now:(unit -> float) ->
  ?stop:(unit -> bool) ->
  ?gather:int ->
  ?log:(Access_log.entry -> unit) ->
  ?report:(Request.head -> exn -> unit) ->
  ?page:(Error.t -> Response.t) ->
  unit ->
  t
(** [create ()] is a server.
    - [timer]: without it, nothing times out.
    - [now ()] is seconds since 1970, for [Date]. Without it, responses have no [Date].
    - [stop ()] becomes true when the server should end: each connection then closes after its
      response.
    - [gather]: see {!Connection.create}.
    - [log e] is called once for each response, when its last byte has been made or it was cut.
    - [report head exn] is called when a handler, a body's [read] or [log] raises [exn], and with
      [Invalid_argument] for a response that cannot be sent. What [report] raises leaves
      {!serve_connection}; it should raise cancellations again.
    - [page e] is the response to a refused request (default {!Response.of_error}). *)

val serve_connection :
  ?on_idle:(bool -> unit) ->
  ?log:(Access_log.entry -> unit) ->
  ?timer:timer ->
  ?shutdown_send:(unit -> unit) ->
  t ->
  #Weir_flow.Flow.flow ->
  Handler.t ->
  unit
(** [serve_connection t flow handler] answers the requests of [flow] until the connection is over.
    The caller then closes [flow].
    - Nagle's algorithm is switched off if [flow] supports it ({!Weir_flow.Flow.Nodelay}), because
      responses are gathered here.
    - Exceptions of [flow] pass to the caller, after a streamed body has been closed.
    - [on_idle true] is called before each wait for a new request and [on_idle false] after it, so
      that {!Admission} knows which connections may be closed.
    - [log] and [timer] replace the server's for this connection, whose client is known.
    - [shutdown_send ()] closes the server's direction of [flow]. With it, when the server closes
      first, it reads on until the client closes too (RFC 9112 §9.6).

    @raise Timed_out
      if the client did not read the response in time. The caller should then reset [flow]: an
      orderly close would keep the unsent bytes in the transport's buffers. *)
