(** Moves the bytes of one side of a connection, for client and server. *)

open Weir_rpc

type t

val create :
  ?on_room:(unit -> unit) ->
  limits:Limits.t ->
  ?room:Turns.t ->
  Outbox.t ->
  #Weir_flow_lwt.Flow_lwt.flow ->
  t
(** [on_room] is called when the bytes of the outbox have been taken for sending. [room] is the
    {!Outbox.room} of the outbox, if it has one. *)

exception Over of Error.ending
(** Rejects the promises of {!read} and {!write}. *)

val ending : (unit -> Error.ending Lwt.t) -> Error.ending Lwt.t
(** [ending f] is [f ()], or the reason in {!Over} if it is rejected with that. *)

val read : t -> (Weir_flow.Slice.t -> (unit, string) result Lwt.t) -> unit Lwt.t
(** [read t frame] calls [frame] on each frame's content, one after the other, until the stream ends
    in order; the content is a view until [frame]'s promise is resolved. It is rejected with {!Over}
    if the stream ends otherwise, or if [frame] finds a violation. *)

val write : t -> bool Lwt.t
(** [write t] sends the bytes of the outbox until {!finish}, and then ends the stream. It is true if
    the flow could shut down its direction ({!Weir_flow_lwt.Flow_lwt.half_close}). It is rejected
    with {!Over} if the flow fails. *)

val wake : t -> unit
(** [wake t] says that the outbox has bytes to send. *)

val finish : t -> unit
(** [finish t] says that no more bytes will be added to the outbox. *)

val with_room : t -> (unit -> 'a) -> 'a Lwt.t
(** [with_room t f] takes the lock {!Outbox.room} and is resolved with [f ()], which may add to the
    outbox. *)

val await : t -> (unit -> bool) -> unit Lwt.t
(** [await t p] waits until [p ()], which is checked after each write and at {!progress}. *)

val progress : t -> unit

val take : t -> Stream.t -> Stream.next Lwt.t
(** [take t s] is {!Stream.next}, never [Nothing_yet]: it waits. *)

val put : t -> Stream.t -> string -> Stream.sent Lwt.t
(** [put t s message] is {!Stream.send}, never [Wait]: it waits. *)

val close : t -> unit Lwt.t
(** [close t] closes the flow if it is a {!Weir_flow_lwt.Flow_lwt.closable}; otherwise it shuts down
    its direction if it can. Failures are dropped. *)
