(** An HTTP/1.1 server for one flow at a time: the direct-style driver of {!Connection}. Accepting
    connections, clocks and concurrency are the caller's.

    Not supported: CONNECT (501), Upgrade (ignored), transfer codings but chunked, trailers (checked
    and dropped), compression, a least rate of request bodies (each wait has a limit, not their
    sum). *)

exception Timed_out

type timer = { with_timeout : 'a. int -> (unit -> 'a) -> 'a }
(** [with_timeout ns f] is [f ()]; once that has taken [ns] nanoseconds it is given up and
    {!Timed_out} raised. *)

type timeouts = {
  idle : int;  (** from one request to the first byte of the next; past it the connection closes *)
  head : int;
      (** from the first byte of a request to the end of its head, past it 408; and from the
          connection's beginning to its first byte, past it the connection closes *)
  body : int;  (** each wait for some of a body; past it 408 *)
  write : int;
      (** each write of at most 64 KiB or one head; past it the connection is to be reset *)
  linger : int;  (** waiting for the client to close after we did *)
}
(** Nanoseconds; {!Weir_base.Time.never} for no limit. *)

val default_timeouts : timeouts
(** 60 s, 10 s, 30 s, 30 s and 2 s. *)

type t
(** What the connections of a server share. Safe to share between domains. *)

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
    - [timer]: without one, nothing times out.
    - [now ()] is seconds since 1970, for [Date], which is left out without it.
    - [stop ()] becomes true when the server is to end: responses then close their connections.
    - [gather]: see {!Connection.create}.
    - [log e] is called once for each response, when its last byte was made or it was cut.
    - [report head exn] is called when a handler, the making of a body, or [log] raised; if it
      raises itself, so does {!serve_connection}. Cancellation belongs there.
    - [page e] is the answer to requests that are refused (default {!Response.of_error}). *)

val serve_connection :
  ?on_idle:(bool -> unit) ->
  ?log:(Access_log.entry -> unit) ->
  ?timer:timer ->
  ?shutdown_send:(unit -> unit) ->
  t ->
  #Weir_flow.Flow.flow ->
  Handler.t ->
  unit
(** [serve_connection t flow handler] answers the requests of [flow] until the connection is over;
    the caller then closes [flow]. Responses are gathered, so Nagle's algorithm is switched off if
    [flow] knows how ({!Weir_flow.Flow.Nodelay}). What [flow] raises it raises, having closed a body
    in the making. [on_idle true] is called before each wait for a new request and [on_idle false]
    after it, so that who stops the server, or has no room left ({!Admission}), knows which
    connections can be cut. [log] and [timer] stand in place of the server's: here the client is
    known. With [shutdown_send], which ends our direction of [flow], a connection that we close
    first is then read until the client closes too (RFC 9112 §9.6).
    @raise Timed_out
      if the client did not take what was written in time. What it lacks will never reach it in
      order, and waits for it in the transport's buffers: the caller should reset [flow], not close
      it. *)
