(** A network interface of this machine's as a link, by packet(7) sockets: a card, or an end of a
    veth pair, on which a host of ours stands beside the kernel. Linux only. Not supported: fanout
    over several sockets, VLANs (their frames are dropped), offload of UDP when sending.

    The kernel goes on using the interface, with its own MAC address; a host here has another. The
    two do not reach each other through it: frames that this machine sends are not received. An
    interface that is only for us, as the end of a veth pair, has no IP address of the kernel's. *)

class type t = object
  inherit Weir_link_unix.Device.t
  (** [rx_dropped] also counts frames that came when the socket's buffer was full. An interface that
      is down has no [carrier], until it is up again and a frame passes. *)
end

val open_ : ?offload:bool -> ?mac:Macaddr.t -> ?up:bool -> string -> (t, Weir_tap.Error.t) result
(** [open_ name] is a link on the interface [name], which must be an Ethernet.
    - [mac] is the MAC address of the host that will use the link: the interface is asked for frames
      to it beside its own, and only these and those to groups are received. Without it the
      interface is promiscuous, and every frame is received.
    - [up] (default [true]) brings the interface up if it is down, which needs CAP_NET_ADMIN.
    - [mtu] is the interface's at this time.
    - With [offload] (default [true]) TCP frames of up to 64 KB and partial checksums may be sent:
      the interface cuts and sums them, or the kernel does for it.

    Whatever [offload] is, frames that are long or have a partial checksum may be received: a veth's
    other end sends them, and a card joins what it receives. Several UDP datagrams that come as one
    frame are given one by one.

    A socket needs CAP_NET_RAW. The kernel sends what the host sends past its firewall's rules for
    packets, and gives what comes before them. *)

val available : unit -> (unit, Weir_tap.Error.t) result
(** [available ()] is whether this process may have a packet socket. *)

(** {1 For links that take a packet socket's place for most frames} *)

class socket : fd:Unix.file_descr -> index:int -> name:string -> mtu:int -> offload:bool -> object
  inherit t

  val mutable is_down : bool
  (** Whether the interface was last seen to be down. *)
end

val open_with :
  (fd:Unix.file_descr -> index:int -> mtu:int -> ('a, Weir_tap.Error.t) result) ->
  ?mac:Macaddr.t ->
  ?up:bool ->
  string ->
  ('a, Weir_tap.Error.t) result
(** [open_with make name] is {!open_}, but [make] is to make the link of the socket [fd] and the
    interface's [index]. It owns [fd], also if it fails. *)
