(** Links whose device is a file descriptor. *)

type Weir_link.Link.readiness +=
  | Fd of Unix.file_descr
        (** frames can be received when the non-blocking descriptor is readable. Stop waiting for it
            before you call [close]. *)

(** How to wait for a link's frames: until a descriptor is readable, or until the callback that
    {!Weir_link.Link.Notify} registers is called. *)
type wait = Readable of Unix.file_descr | Told of ((unit -> unit) -> unit)

val wait : who:string -> Weir_link.Link.t -> wait
(** [wait ~who link] is how to wait for [link].
    @raise Invalid_argument
      if its readiness is of an unknown kind; the message begins with [who], the name of the caller.
*)

val await : Weir_link.Link.t list -> Weir_base.Time.t -> unit
(** [await links ns], for {!Weir_link.Bridge.run}, sleeps until one of [links] may have frames, or
    for [ns] nanoseconds.
    @raise Invalid_argument
      if the readiness of a link is not a descriptor, as soon as [links] is given. *)
