(** The options of a socket: those that the kernel has and Weir knows, with the kernel's meaning.

    Some only keep their value, as they do for Eio's own sockets: SO_RCVTIMEO, SO_SNDTIMEO and
    SO_RCVLOWAT (Eio waits by other means), SO_DONTROUTE, SO_OOBINLINE. *)

type t = {
  mutable reuse_addr : bool;
  mutable reuse_port : bool;
  mutable broadcast : bool;
  mutable dont_route : bool;
  mutable oob_inline : bool;
  mutable linger : int option;  (** seconds that closing waits; 0 resets *)
  mutable receive_timeout : float;
  mutable send_timeout : float;
  mutable receive_low_water : int;
  mutable nodelay : bool;
  mutable keepalive_on : bool;
  mutable keepalive : Weir_core.Config.keepalive;
  mutable congestion : Weir_core.Config.congestion;
  mutable send_buffer : int option;  (** [None]: as the host's configuration says *)
  mutable receive_buffer : int option;
  config : Weir_core.Config.t;
}

val create : Weir_core.Config.t -> t
(** [create config] is what a new socket of such a host has. *)

val copy : t -> t
(** [copy t] is what a connection accepted by a listener with [t] begins with. *)

val set : t -> 'a Eio.Net.Sockopt.t -> 'a -> unit
(** @raise Eio.Io with [Invalid_option] for what is not supported, EINVAL for a bad value. *)

val get : t -> 'a Eio.Net.Sockopt.t -> 'a
(** @raise Eio.Io with [Invalid_option] for what is not supported, or not kept here. *)

val set_all : t -> Eio.Net.Sockopt.settings -> unit

val apply : t -> Weir_core.Tcp.connection -> unit
(** [apply t c] has [c] go by [t]; the host's lock is held. *)

val invalid : unit -> 'a
(** @raise Eio.Io with [Invalid_option]. *)

val unix_error_number : Unix.error -> int
(** [unix_error_number e] is Linux's number for [e], as SO_ERROR has it; 0 if it is none of TCP's.
*)
