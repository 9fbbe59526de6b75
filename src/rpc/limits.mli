(** Limits on the memory and calls of one connection, for either side. *)

type t = {
  message : int;
      (** bytes of one received message with its packet's header. The peer learns this limit; a
          longer message ends the connection *)
  calls : int;
      (** unanswered calls. The client learns this limit and must delay further calls; otherwise the
          server disconnects it *)
  held : int;
      (** bytes of the requests that a server is answering; while there are more, it reads nothing
      *)
  unsent : int;
      (** bytes to send; while there are more, callers and handlers wait, and a server reads nothing
      *)
  window : int;
      (** bytes of messages of one stream that were received and not yet taken. The peer learns this
          limit; if it sends more, it is disconnected. A message counts as its length plus
          {!Stream.overhead}, which must be at most half the window *)
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
(** [stream_window t] is the window announced to the peer: [window], or less if [message] is
    smaller. *)
