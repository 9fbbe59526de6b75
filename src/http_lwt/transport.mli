(** The transport of a connection's bytes. *)

type t = {
  read : Bytes.t -> off:int -> len:int -> int Lwt.t;
      (** stores between 1 and [len] bytes and is resolved with their number; 0 at the end *)
  write : Bytes.t -> off:int -> len:int -> unit Lwt.t;  (** is resolved when all bytes are taken *)
  write_by : (want:int -> (Bytes.t -> int -> int -> int) -> int Lwt.t) option;
      (** {!Weir_flow.Flow.buffered}'s, if there is such a buffer *)
  shutdown_send : unit -> unit Lwt.t;
      (** closes this side's direction, after the bytes written before *)
}
(** The transport owns a buffer until the promise is resolved. A failure rejects the promise. Time
    limits work only if [Lwt.cancel] of its promises does. *)

exception Failed of Weir_flow.Flow.error

val of_flow : ?shutdown_send:(unit -> unit Lwt.t) -> #Weir_flow_lwt.Flow_lwt.flow -> t
(** [of_flow f] is [f] as a transport. It copies all bytes once; failures of [f] are {!Failed}.
    Nagle's algorithm is switched off if [f] supports it ({!Weir_flow_lwt.Flow_lwt.Nodelay}). A
    transport made in another way should switch it off too. *)
