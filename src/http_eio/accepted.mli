(** What a server needs of a connection that it has accepted, whatever its network. *)

type t = {
  peer : string;  (** the client's address, without its port; a path in the Unix domain *)
  flow : Weir_flow.Flow.flow;
  shutdown_send : unit -> unit;  (** ends our direction, after what was written *)
  has_unread : unit -> bool;  (** bytes have come that nobody has read *)
  close : unit -> unit;  (** in order: what was written is still sent *)
  abort : unit -> unit;  (** by a reset: the client is sent nothing more *)
}

val of_socket : _ Eio.Net.stream_socket -> Eio.Net.Sockaddr.stream -> t
(** [of_socket s address] is [s], accepted from [address], as a Weir flow
    ({!Weir_eio.Flows.of_eio}). [has_unread] asks the kernel; of a socket that is not the kernel's,
    or whose descriptor is 1,024 or above, it is false. [abort] sets SO_LINGER to 0 and closes. *)

val of_weir : Weir_eio.Connection.t -> t
(** [of_weir c] is [c], whose bytes are copied once less. *)
