(** Socket options of TCP that Eio does not name. *)

type _ Eio.Net.Sockopt.t +=
  | TCP_USER_TIMEOUT : int Eio.Net.Sockopt.t
        (** as Linux's, in milliseconds: the connection fails if sent data stay unacknowledged, or a
            closed window holds written data back, for longer; 0 for no such limit *)
  | TCP_UTO : bool Eio.Net.Sockopt.t
        (** the peer is told of TCP_USER_TIMEOUT by RFC 5482's option, and may make it longer *)
