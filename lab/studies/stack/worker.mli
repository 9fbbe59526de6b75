(** One measurement in a process: this program, started again, so that measurements share neither
    heap nor network. *)

val run_if_asked : unit -> unit
(** [run_if_asked ()] returns, unless this process was started by {!measure}: then it does that
    measurement and exits. Call it first in [main]. *)

(** [Eio_card] is Weir in direct style over another device than a TAP. *)
type subject = Eio | Eio_card of Space.device | Lwt | Kernel | Nginx | Rival of Rival.t

(** [offload] allows frames larger than the MTU. The device cuts them and computes checksums; in
    memory neither is done. [watched] measures only the live words, at some marks of the transfer
    ({!Load.watch}). *)
type task =
  | Memory of {
      transport : Driver.transport;
      offload : bool;
      bytes : int;
      pcap : bool;
      watched : bool;
    }
  | Bulk of { direction : [ `In | `Out ]; offload : bool; bytes : int }
  | Http of { connections : int; offload : bool; seconds : int }

val can : subject -> task -> bool
(** [can s t] is whether [t] can be measured for [s] at all. *)

val unavailable : subject -> task -> string option
(** [unavailable s t] is why this machine cannot do it; [None] if it can. *)

val measure : subject -> task -> Reading.t list
(** [measure s t] is the readings of a new process, which has a time limit.
    @raise Child.Failed if the process fails. *)
