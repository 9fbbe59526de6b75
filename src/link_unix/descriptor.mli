(** Links whose device is a file descriptor. *)

type Weir_link.Link.readiness +=
  | Fd of Unix.file_descr
        (** frames can be received when the descriptor is readable (non-blocking). Whoever waits on
            it stops before calling [close]. *)

(** How to wait for a link's frames: until a descriptor is readable, or by a call as that of
    {!Weir_link.Link.Notify}. *)
type wait = Readable of Unix.file_descr | Told of ((unit -> unit) -> unit)

val wait : who:string -> Weir_link.Link.t -> wait
(** [wait ~who link] is how to wait for [link].
    @raise Invalid_argument if there is no known way, naming [who]. *)

val await : Weir_link.Link.t list -> Weir_base.Time.t -> unit
(** [await links] is a wait for {!Weir_link.Bridge.run}: [await links ns] sleeps until one of
    [links] may have frames, or for [ns] nanoseconds.
    @raise Invalid_argument when given [links], if the readiness of one is not a descriptor. *)
