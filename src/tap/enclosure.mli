(** A program in network, mount, process and, for ordinary users, user namespaces of its own
    (namespaces(7)). Its only way out is a TAP device, whose other end is a link of this process. It
    needs no root where user namespaces are permitted.

    The program keeps its user, working folder, environment, open descriptors and terminal. It is in
    the same process group, so that keys like Ctrl-C reach it. It ends with this process, and its
    descendants end with it. *)

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
(** [start s command] makes the namespaces and the device. The program does not begin before {!go}.
    The first element of [command] is looked up in PATH. The program inherits the signal
    dispositions of this moment, so call [start] before this process changes its own.
    @raise Invalid_argument
      if [command] is empty, a string has a NUL byte, or an address and its gateway are not of the
      family of their field. *)

val more_descriptors : unit -> unit
(** [more_descriptors ()] lets this process open as many descriptors as the system allows it
    (RLIMIT_NOFILE). Programs that were started before keep their limit. *)

val device : t -> Tap.t
(** [device t] is the link to the program's network. *)

val go : t -> unit
(** [go t] lets the program begin. *)

val descriptor : t -> Unix.file_descr
(** [descriptor t] is readable when {!outcome} may have changed. It is closed by {!close}. *)

type outcome =
  | Running
  | Ended of Unix.process_status
      (** with OCaml's numbers of signals. The program's descendants have ended too. The network
          stays until {!close}, so that the last bytes they wrote can leave *)
  | Not_executed of Unix.error  (** ENOENT: there is no such program *)

val outcome : t -> outcome
(** [outcome t] does not wait. *)

val signal : t -> int -> unit
(** [signal t n] sends OCaml's signal [n] to the program. Nothing happens if it has ended. *)

val await_signal : int list -> int * bool
(** [await_signal l] waits for one of these signals, which all threads must block, and says whether
    a process sent it: if not, keys did, and the program has it by its terminal. *)

val close : t -> unit
(** [close t] ends all processes of the program, and waits for their end. It does not close the
    device. Idempotent. *)
