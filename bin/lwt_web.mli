(** {!Weir_http_eio.Server} over Lwt: an HTTP server on a host, with limits on time and connections,
    and an orderly stop. *)

type t

val create :
  clock:Weir_lwt.Clock.t ->
  ?admission:Weir_http.Admission.t ->
  ?log:(string -> unit) ->
  ?warn:(string -> unit) ->
  Weir_http.Handler.t ->
  t
(** [create ~clock handler] is a server; for its arguments see {!Weir_http_eio.Server.create}. *)

val serve : t -> Weir_lwt.host -> port:int -> unit Lwt.t
(** [serve t host ~port] listens on [host] and accepts until {!stop}.
    @raise Fail.Failed if it cannot listen. *)

val stop : t -> timeout_ns:int -> unit Lwt.t
(** [stop t ~timeout_ns] accepts no more connections, closes idle ones, and lets responses finish.
    It is resolved when all connections are closed or the time is over. *)
