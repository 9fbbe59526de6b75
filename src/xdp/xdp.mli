(** A network interface of this machine's as a link, by XDP sockets (AF_XDP) of libxdp: as
    {!Weir_packet.Packet}, with frames in memory that the kernel shares, so that many are sent by
    one system call and received without any. Linux only. Not supported: offloads when sending, MTUs
    above 3,826, frames in several buffers, sockets on other queues than the first.

    A program on the interface picks the frames for the host before the kernel sees them. All others
    stay the kernel's. Frames for groups, ARP's requests among them, go to the kernel, and a packet
    socket gives the host a copy; so it does with frames that the interface puts into other queues.
    The program belongs to the link: it is gone when the link is closed or the process has ended, in
    whatever way. There is one such link an interface.

    A VLAN's frames are the kernel's. If its tag was taken off by a device before, it is not seen,
    and the frame is received as if it had none. *)

(** How frames get into the memory, and who runs the program. *)
type mode =
  | Best  (** the best that the driver has *)
  | Zero_copy  (** the card writes into the memory and reads from it *)
  | Copy  (** the kernel copies; the driver runs the program if it can *)
  | Generic
      (** the kernel copies, and runs the program after the driver, which any interface can do. The
          other end of a veth pair must then send no long frames: [ethtool -K NAME tso off gso off],
          there. *)

class type t = object
  inherit Weir_packet.Packet.t
  (** [send] puts frames into the ring, and [flush] makes the kernel send them. A link that is down
      drops what is in the ring. [rx_dropped] also counts frames that came when the memory was full,
      and those longer than the MTU. *)

  method zero_copy : bool

  method native : bool
  (** Whether the driver runs the program. *)
end

val open_ : ?mode:mode -> ?mac:Macaddr.t -> ?up:bool -> string -> (t, Weir_tap.Error.t) result
(** [open_ name] is a link on the interface [name], which must be an Ethernet. [mode] is {!Best} if
    it is not given. [mac] and [up] are {!Weir_packet.Packet.open_}'s; without [mac] the link takes
    from the kernel all frames that are not for groups. The memory has 2,048 frames for each
    direction: 8 MB, or 16 MB if the MTU is above 1,778.

    On a veth pair, frames that this machine's TCP or UDP sends have only the pseudo header's sum
    for a checksum, and nothing says so. Frames that have it are therefore received as
    {!Weir_link.Frame.Partial} there, and only there.

    It needs CAP_NET_RAW, CAP_NET_ADMIN and CAP_BPF, all of them outside of user namespaces. *)

val available : unit -> (unit, Weir_tap.Error.t) result
(** [available ()] is an error if libxdp is not there, or if this process may not use XDP. *)
