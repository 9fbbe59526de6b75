(** Why a device, an interface or a namespace cannot be opened or changed. *)

type t =
  | Unsupported  (** this is not Linux *)
  | No_driver  (** there is no /dev/net/tun *)
  | Closed_driver  (** /dev/net/tun exists, but this user may not open it *)
  | No_namespace  (** not root, and user namespaces are not permitted *)
  | Not_permitted of string  (** the action tried *)
  | Bad_name of { name : string; reason : string }
  | Busy of string  (** another process holds the device of that name *)
  | Not_tap of string  (** the interface of that name is not a TAP device *)
  | Not_tun of string
  | Other_queues of string
      (** the device has one queue but several were asked for, or the reverse *)
  | Too_many_queues of string
  | No_interface of string
  | Bad_address of { address : string; reason : string }
  | Unreachable of { name : string; address : Ipaddr.t; reason : string; remedy : string }
      (** the kernel does not send packets for [address] through [name]; [remedy] is a command that
          changes this *)
  | No_packet_socket of string  (** an interface, or "" if none was named *)
  | Not_ethernet of string
  | No_xdp_library  (** the program was built without libxdp, or it is not installed *)
  | No_xdp_socket of string  (** this user may not have one; as [No_packet_socket] *)
  | Other_xdp of string  (** the interface has an XDP program, or its queue an XDP socket *)
  | Too_long_for_xdp of { name : string; longest : int }
      (** the MTU of the interface, or of a veth pair's other end, is above [longest] *)
  | No_zero_copy of string
  | Locked_memory of string  (** an XDP socket's memory is more than this user may lock *)
  | System of { call : string; name : string; error : Unix.error }

val pp : Format.formatter -> t -> unit
(** [pp] prints a sentence that says what happened and, where known, what to do. *)

val check_name : string -> (unit, t) result
(** [check_name s] is an error if [s] is not a valid interface name: Linux allows 1 to 15 bytes
    without [/], spaces and control characters, and not [.] or [..]. *)

val longest_for_xdp : int
(** The longest MTU at which every driver that has XDP takes a program: 3,498. *)

val catch : action:string -> (unit -> 'a) -> ('a, t) result
(** [catch ~action f] is [f ()]. A [Unix.Unix_error] that [f] raises becomes an error about
    [action], such as ["set its address"]. *)
