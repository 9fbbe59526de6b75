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
(** [start s command] makes the namespaces and the device. The program waits for {!go}. Its first
    element is searched in PATH. Call it before the program's threads change what signals do, as the
    dispositions of now are the program's.
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
      (** signals as OCaml numbers them. Its descendants have ended too; the network is there until
          {!close}, so that what they wrote last can leave *)
  | Not_executed of Unix.error  (** ENOENT: there is no such program *)

val outcome : t -> outcome
(** [outcome t] does not wait. *)

val signal : t -> int -> unit
(** [signal t n] sends OCaml's signal [n] to the program. Nothing happens if it has ended. *)

val close : t -> unit
(** [close t] ends all of its processes, and waits for that. The device is not closed. Idempotent.
*)
