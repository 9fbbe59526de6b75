(** Why a device, an interface or a namespace is not to be had. *)

type t =
  | Unsupported  (** this is not Linux *)
  | No_driver  (** there is no /dev/net/tun *)
  | Closed_driver  (** /dev/net/tun is there, but this user may not open it *)
  | No_namespace  (** neither root nor user namespaces *)
  | Not_permitted of string  (** what was tried *)
  | Bad_name of { name : string; reason : string }
  | Busy of string  (** another process holds the device of that name *)
  | Not_tap of string  (** an interface of that name is no TAP *)
  | No_interface of string
  | Bad_address of { address : string; reason : string }
  | Unreachable of { name : string; address : Ipaddr.V4.t; reason : string; remedy : string }
      (** no packets for [address] leave through [name]; [remedy] is a command *)
  | No_packet_socket of string  (** an interface, or "" if none was named *)
  | Not_ethernet of string
  | System of { call : string; name : string; error : Unix.error }

val pp : Format.formatter -> t -> unit
(** [pp] prints a sentence, with what to do about it where that is known. *)

val check_name : string -> (unit, t) result
(** [check_name s] is an error if no interface can have the name [s]: Linux allows 1 to 15 bytes
    without [/], spaces and control characters, and not [.] or [..]. *)

val catch : action:string -> (unit -> 'a) -> ('a, t) result
(** [catch ~action f] is [f ()], or what the [Unix.Unix_error] that it raised means when doing
    [action], such as ["set its address"]. *)
