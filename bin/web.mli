(** An HTTP server on an Eio network: accepting, time limits, a bound on connections, and an end in
    good order. *)

type t

val create :
  sw:Eio.Switch.t ->
  clock:_ Eio.Time.Mono.t ->
  ?max_connections:int ->
  ?log:(string -> unit) ->
  Weir_http.Handler.t ->
  t
(** [create ~sw ~clock handler] answers at most [max_connections] (10,000) at a time; others wait in
    the listener's backlog. [log] gets a line a response. *)

val serve : t -> Weir_eio.host -> port:int -> unit
(** [serve t host ~port] listens on [host] and serves until {!stop}. *)

val stop : t -> timeout_ns:int -> unit
(** [stop t ~timeout_ns] accepts no more, lets responses under way finish, closes idle connections,
    and returns when none is left or the time is over. *)
