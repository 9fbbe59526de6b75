(** Runs a program in network, mount and process namespaces of its own (namespaces(7)), and for
    ordinary users in a user namespace. Its only network device is a TAP device, whose other end is
    a link of this process. Where user namespaces are permitted, no root is needed.

    The program keeps its user, working folder, environment, open descriptors and terminal. It is in
    this process's group, so that keys like Ctrl-C reach it. When this process ends, the program
    ends; when the program ends, its descendants end. *)

type address = { address : Ipaddr.t; prefix : int; gateway : Ipaddr.t }

type settings = {
  mtu : int;  (** of the device *)
  offload : bool;  (** as in {!Tap.open_} *)
  v4 : address option;
  v6 : address option;  (** left out if the kernel has no IPv6 *)
  resolver : string option;  (** a file that the program sees as /etc/resolv.conf *)
}

type t

val start : settings -> string list -> (t, Error.t) result
(** [start s command] creates the namespaces and the device. The program starts at {!go}. The first
    element of [command] is looked up in PATH. The program inherits this process's current signal
    dispositions, so call [start] before you change them.
    @raise Invalid_argument
      if [command] is empty, a string has a NUL byte, or an address or gateway in [v4] or [v6] is of
      the other family. *)

val more_descriptors : unit -> unit
(** [more_descriptors ()] raises this process's limit of open descriptors (RLIMIT_NOFILE) as far as
    the system allows. Programs started earlier keep their limit. *)

val device : t -> Tap.t
(** [device t] is the link to the program's network. *)

val go : t -> unit
(** [go t] starts the program. *)

val descriptor : t -> Unix.file_descr
(** [descriptor t] is readable when {!outcome} may have changed. It is closed by {!close}. *)

type outcome =
  | Running
  | Ended of Unix.process_status
      (** with OCaml's signal numbers. The program's descendants have ended too. The network exists
          until {!close}, so that their last bytes can be sent *)
  | Not_executed of Unix.error  (** ENOENT: there is no such program *)

val outcome : t -> outcome
(** [outcome t] does not wait. *)

val signal : t -> int -> unit
(** [signal t n] sends OCaml's signal [n] to the program. Nothing happens if it has ended. *)

val await_signal : int list -> int * bool
(** [await_signal l] waits for one of these signals, which all threads must block, and says whether
    a process sent it: if not, keys did, and the program has it by its terminal. *)

val close : t -> unit
(** [close t] kills all processes of the program and waits for their end. It does not close the
    device. Idempotent. *)
