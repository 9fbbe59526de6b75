(** What carries a connection's bytes. *)

type t = {
  read : Bytes.t -> off:int -> len:int -> int Lwt.t;
      (** stores between 1 and [len] bytes and says how many; 0 at the end *)
  write : Bytes.t -> off:int -> len:int -> unit Lwt.t;  (** is resolved when all is taken *)
  shutdown_send : unit -> unit Lwt.t;  (** ends our direction, after what was written *)
}
(** A buffer is the transport's until the promise is resolved. A failure rejects it. For time limits
    to work, promises must be cancellable. *)

exception Failed of Weir_flow.Flow.error

val of_flow : ?shutdown_send:(unit -> unit Lwt.t) -> #Weir_flow_lwt.Flow_lwt.flow -> t
(** [of_flow f] is [f], with a copy of all bytes between; its failures are {!Failed}. Nagle's
    algorithm is switched off if [f] knows how ({!Weir_flow_lwt.Flow_lwt.Nodelay}); who makes a
    transport by hand does that for its connection. *)
