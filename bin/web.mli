(** An HTTP server on an Eio network: accepting, time limits, a bound on connections, and an end in
    good order. *)

type t

val create :
  sw:Eio.Switch.t ->
  clock:_ Eio.Time.Mono.t ->
  ?admission:Weir_http.Admission.t ->
  ?log:(string -> unit) ->
  ?warn:(string -> unit) ->
  Weir_http.Handler.t ->
  t
(** [create ~sw ~clock handler] answers whom [admission] lets in; others wait in the listener's
    backlog, or are reset if their address has its share. [log] gets a line a response, [warn] one
    for what failed in the server itself. Neither must wait. *)

val serve : t -> Weir_eio.host -> port:int -> unit
(** [serve t host ~port] listens on [host] and serves until {!stop}. *)

val stop : t -> timeout_ns:int -> unit
(** [stop t ~timeout_ns] accepts no more, lets responses under way finish, closes idle connections,
    and returns when none is left or the time is over. *)
