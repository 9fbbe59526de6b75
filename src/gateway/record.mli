(** What is known of a connection, or of the datagrams of a pair of addresses and ports, that a
    gateway carries. An observer of a network may make records too, of what it sees. *)

type protocol = Tcp | Udp | Icmp

(** How it ended. *)
type ending =
  | Closed  (** both sides have closed it; UDP: nothing passed for a while, or the gateway ended *)
  | Reset_by_client
  | Reset_by_server
  | Refused  (** by the server *)
  | Unreachable of string
  | Timed_out  (** no answer to the attempt to connect *)
  | Denied  (** by a decision *)
  | Abandoned  (** the client gave up before the connection stood *)
  | Limited  (** by a limit *)
  | Stopped  (** the gateway ended before the client closed it *)

val pp_ending : Format.formatter -> ending -> unit

type kernel = Relay.kernel = { rtt_ns : int;  (** smoothed *) retransmitted : int  (** segments *) }
(** What the kernel knows of its connection (TCP_INFO of tcp(7)). *)

type info = {
  client : Weir_flow.Flow.tcp_info;  (** of the connection to the client *)
  server : kernel option;  (** of that to the server, if it is the kernel's *)
}

type t = {
  protocol : protocol;
  number : int;
  source : Ipaddr.t * int;
  destination : Ipaddr.t * int;
  began_ns : int64;
  mutable connected_ns : int64;  (** when the connection stood; -1 if it never did *)
  mutable ended_ns : int64;  (** -1 while it lasts *)
  mutable client_closed : bool;  (** all that the client will ever send was passed on *)
  mutable sent : int;  (** bytes from the client to the server *)
  mutable received : int;
  mutable ending : ending option;
  mutable info : unit -> info option;
      (** what is known now of a TCP connection that stands or stood *)
}

val make :
  protocol ->
  number:int ->
  source:Ipaddr.t * int ->
  destination:Ipaddr.t * int ->
  began_ns:int64 ->
  t
(** A record of which nothing else is known yet. *)
