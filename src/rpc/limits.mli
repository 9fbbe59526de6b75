(** How much one connection may hold, on either side. *)

type t = {
  message : int;
      (** bytes of one message that is received, with its packet's header; the peer is told, and a
          longer one ends the connection *)
  calls : int;
      (** calls not answered yet. A server tells its client, which then waits with further calls;
          one that does not wait loses the connection *)
  held : int;
      (** a server reads nothing while the requests it is answering have more bytes than this *)
  unsent : int;
      (** callers and handlers wait, and a server reads nothing, while more bytes than this are to
          be sent *)
  window : int;
      (** bytes of the messages of one stream that have come and were not taken: the peer is told,
          and one that sends more loses the connection. A message counts {!Stream.overhead} more
          than its length, and one that then is more than half of this cannot be sent in a stream *)
}

val max_calls : int
(** 2{^ 20} *)

val default : t
(** 4 MiB, 64, 16 MiB, 256 KiB and 256 KiB. *)

val check : t -> unit
(** @raise Invalid_argument
      if one is not positive, [message] below 2,048, [window] below 1,024, either above 2{^ 31} - 1,
      or [calls] above {!max_calls}. *)

val stream_window : t -> int
(** [stream_window t] is what the peer is told: [window], less if [message] is. *)
