(** Passes a connection's bytes on between one of Weir's connections and a socket of another
    network. If that socket is the kernel's, bytes go straight between it and the connection's
    buffers. *)

type outcome = Closed | Reset_by_client | Reset_by_server | Limited

type progress = {
  sent : int -> unit;  (** so many bytes more went to the server *)
  received : int -> unit;
  client_closed : unit -> unit;  (** all that the client sent has passed *)
}

val run :
  ?limit:Decision.limit ->
  client:Weir_eio.Connection.t ->
  server:[> [> `Generic ] Eio.Net.stream_socket_ty ] Eio.Resource.t ->
  progress ->
  outcome
(** [run ~client ~server p] returns when both directions have ended, or one failed. It closes
    neither. *)

type kernel = { rtt_ns : int;  (** smoothed *) retransmitted : int  (** segments *) }

val kernel_info : [> [> `Generic ] Eio.Net.stream_socket_ty ] Eio.Resource.t -> kernel option
(** [kernel_info s] is what the kernel knows of [s] (TCP_INFO of tcp(7)); [None] if it is not the
    kernel's, or is closed. *)
