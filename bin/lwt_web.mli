(** {!Weir_http_eio.Server}'s twin over Lwt: an HTTP server on a host, with time limits, a bound on
    connections, and an end in good order. *)

type t

val create :
  clock:Weir_lwt.Clock.t ->
  ?admission:Weir_http.Admission.t ->
  ?log:(string -> unit) ->
  ?warn:(string -> unit) ->
  Weir_http.Handler.t ->
  t
(** [create ~clock handler] answers whom [admission] lets in: see {!Weir_http_eio.Server.create}. *)

val serve : t -> Weir_lwt.host -> port:int -> unit Lwt.t
(** [serve t host ~port] listens on [host] and accepts until {!stop}.
    @raise Fail.Failed if it cannot listen. *)

val stop : t -> timeout_ns:int -> unit Lwt.t
(** [stop t ~timeout_ns] accepts no more, lets responses under way finish, closes idle connections,
    and is resolved when none is left or the time is over. *)
