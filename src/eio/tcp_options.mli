(** Socket options of TCP that Eio does not name. *)

type _ Eio.Net.Sockopt.t +=
  | TCP_USER_TIMEOUT : int Eio.Net.Sockopt.t
        (** as Linux's: for how many milliseconds sent data may be unacknowledged, or written data
            be held back by a closed window, until the connection fails; 0 for no such limit *)
  | TCP_UTO : bool Eio.Net.Sockopt.t
        (** the peer is told of TCP_USER_TIMEOUT by RFC 5482's option, and may make it longer *)
