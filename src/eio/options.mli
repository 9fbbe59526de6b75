(** The socket options that Weir supports, with the kernel's meaning.

    Some only store their value, as they do for Eio's own sockets: SO_RCVTIMEO and SO_SNDTIMEO (Eio
    waits by other means), SO_DEBUG, SO_DONTROUTE, SO_OOBINLINE; and IP_BIND_ADDRESS_NO_PORT, as no
    port is ever chosen before [connect]. *)

type t = {
  mutable reuse_addr : bool;
  mutable reuse_port : bool;
  mutable broadcast : bool;
  mutable debug : bool;
  mutable dont_route : bool;
  mutable port_later : bool;  (** IP_BIND_ADDRESS_NO_PORT *)
  mutable oob_inline : bool;
  mutable linger : int option;  (** seconds that [close] waits; 0 sends a reset *)
  mutable receive_timeout : float;  (** SO_RCVTIMEO, seconds; only stored *)
  mutable send_timeout : float;  (** SO_SNDTIMEO, seconds; only stored *)
  mutable receive_low_water : int;  (** SO_RCVLOWAT: a read waits for at least this many bytes *)
  mutable nodelay : bool;
  mutable keepalive_on : bool;
  mutable keepalive : Weir_core.Config.keepalive;
  mutable user_timeout_ms : int;  (** 0 for none *)
  mutable announce_timeout : bool;  (** {!Tcp_options.TCP_UTO} *)
  mutable congestion : Weir_core.Congestion.algorithm;  (** one of [config.congestion] *)
  mutable send_buffer : int option;  (** bytes; [None]: as the host's configuration says *)
  mutable receive_buffer : int option;
  mutable time_to_live : int;  (** of datagrams *)
  mutable mtu_discover : [ `Want | `Dont | `Do | `Probe ];
      (** IP_MTU_DISCOVER. For datagrams: with [`Want] and [`Dont] the host fragments a datagram
          that is longer than the path's MTU, and routers may fragment it further. With [`Do] it is
          not fragmented, and refused (EMSGSIZE). [`Probe] is [`Do] with the link's MTU in place of
          the path's. Connections always use the path's MTU; for them only [`Want] and [`Do] are
          accepted. *)
  config : Weir_core.Config.t;
}

val create : Weir_core.Config.t -> t
(** [create config] is the default options of a host with [config]. *)

val create_datagram : Weir_core.Config.t -> t
(** As {!create}, for a datagram socket. *)

val copy : t -> t
(** [copy t] is the initial options of a connection accepted by a listener with [t]. *)

val set_stream : t -> 'a Eio.Net.Sockopt.t -> 'a -> unit
(** For a connection or a listener.
    @raise Eio.Io with [Invalid_option] for what is not supported, EINVAL for a bad value.
    @raise Invalid_argument for a negative number, as Eio's backends do. *)

val set_datagram : t -> 'a Eio.Net.Sockopt.t -> 'a -> unit
(** As {!set_stream}, for a datagram socket. *)

val get : t -> 'a Eio.Net.Sockopt.t -> 'a
(** @raise Eio.Io
      with [Invalid_option] for what is not supported, or not kept here; [Not_available] for what
      another kind of socket has. *)

val get_datagram : t -> 'a Eio.Net.Sockopt.t -> 'a

val ttl : t -> int option
(** [ttl t] is the time to live of datagrams, [None] for the usual one. *)

val dont_fragment : t -> bool
(** [dont_fragment t] is true if [mtu_discover] is [`Do]. *)

val probe : t -> bool
(** [probe t] is true if [mtu_discover] is [`Probe]. *)

val not_connected : unit -> exn
(** [not_connected ()] is ENOTCONN, for IP_MTU. *)

val set_all : t -> Eio.Net.Sockopt.settings -> unit
(** [set_all t settings] is {!set_stream} of each. *)

val apply : t -> Weir_core.Tcp.connection -> unit
(** [apply t c] sets the options [t] on [c]; the host's lock is held. *)

val unix_error_number : Unix.error -> int
(** [unix_error_number e] is Linux's number for [e], as SO_ERROR has it; 0 if it is none of TCP's.
*)
