(** Limits on the memory and calls of one connection, for either side. *)

type t = {
  message : int;
      (** bytes of one received message with its packet's header. The peer is told; a longer message
          ends the connection *)
  calls : int;
      (** calls not answered yet. A server tells its client, which then delays further calls; a
          client that does not is disconnected *)
  held : int;
      (** a server reads nothing while the requests it is answering have more bytes than this *)
  unsent : int;
      (** callers and handlers wait, and a server reads nothing, while more bytes than this are to
          be sent *)
  window : int;
      (** bytes of the received and not yet taken messages of one stream. The peer is told; a peer
          that sends more is disconnected. A message counts its length plus {!Stream.overhead};
          together they may be at most half a window *)
}

val max_calls : int
(** 2{^ 20} *)

val default : t
(** 4 MiB, 64, 16 MiB, 256 KiB and 256 KiB. *)

val check : t -> unit
(** @raise Invalid_argument
      if a limit is not positive, [message] below 2,048, [window] below 1,024, either above 2{^ 31}
      \- 1, or [calls] above {!max_calls}. *)

val stream_window : t -> int
(** [stream_window t] is the window that the peer is told: [window], or less if [message] is
    smaller. *)
