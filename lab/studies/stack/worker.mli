(** The process of one measurement: this program, started again, so that no measurement shares a
    heap or a network with another. *)

val run_if_asked : unit -> unit
(** [run_if_asked ()], called first in [main], returns unless this process was started by
    {!measure}; then it does what it was started for and exits. *)

(** [Eio_card] is Weir in direct style over another device than a TAP. *)
type subject = Eio | Eio_card of Space.device | Lwt | Kernel | Nginx | Rival of Rival.t

(** [offload] allows frames larger than the MTU; the device cuts them and computes checksums, or
    nobody does. [watched] measures live words at some marks of the transfer ({!Load.watch}), and
    nothing else. *)
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
(** [can s t] says whether there is such a measurement. *)

val unavailable : subject -> task -> string option
(** [unavailable s t] is why the machine cannot do it, if it cannot. *)

val measure : subject -> task -> Reading.t list
(** [measure s t] is what a process of its own measured, within a time.
    @raise Child.Failed if it did not. *)
