(** An accepted connection as a server needs it, on any network. *)

type t = {
  peer : string;  (** the client's address without its port; the path of a Unix domain socket *)
  flow : Weir_flow.Flow.flow;
  shutdown_send : unit -> unit;
      (** closes the server's direction, after the bytes written before *)
  has_unread : unit -> bool;  (** whether received bytes wait to be read *)
  interrupt : (bool -> unit) option;
      (** {!Weir_eio.Connection.set_interrupted}; [None] on other networks *)
  close : unit -> unit;  (** closes in order: bytes written before are still sent *)
  abort : unit -> unit;  (** closes by a reset: nothing more is sent *)
}

val of_socket : _ Eio.Net.stream_socket -> Eio.Net.Sockaddr.stream -> t
(** [of_socket s address] is [s], accepted from [address], as a Weir flow
    ({!Weir_eio.Flows.of_eio}). [has_unread] asks the kernel; it is false for other sockets and for
    descriptors of 1,024 and above. [abort] sets SO_LINGER to 0 and closes. *)

val of_weir : Weir_eio.Connection.t -> t
(** [of_weir c] is [c] itself: it copies received and sent bytes once less than {!of_socket}. *)
