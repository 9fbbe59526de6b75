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
(** [on_room] is called when the outbox's bytes have been taken for sending. [room] is the outbox's
    {!Outbox.room}, if it has one. *)

exception Over of Error.ending
(** Rejects the promises of {!read} and {!write}. *)

val ending : (unit -> Error.ending Lwt.t) -> Error.ending Lwt.t
(** [ending f] is what [f ()] is resolved with, or rejected as {!Over}. *)

val read : t -> (Weir_flow.Slice.t -> (unit, string) result Lwt.t) -> unit Lwt.t
(** [read t frame] calls [frame] on each frame's content, one after the other, until the stream ends
    in order; the content is a view until [frame]'s promise is resolved. It is rejected with {!Over}
    if the stream ends otherwise, or if [frame] finds a violation. *)

val write : t -> bool Lwt.t
(** [write t] sends the outbox as it fills, and after {!finish} ends the stream and is resolved:
    with true if the flow could close its direction ({!Weir_flow_lwt.Flow_lwt.half_close}). It is
    rejected with {!Over} if the flow fails. *)

val wake : t -> unit
(** [wake t] says that the outbox has bytes to send. *)

val finish : t -> unit
(** [finish t] says that the outbox has the last bytes. *)

val with_room : t -> (unit -> 'a) -> 'a Lwt.t
(** [with_room t f] waits for the lock {!Outbox.room}, in the order of calls, and is resolved with
    [f ()], which adds to the outbox. *)

val await : t -> (unit -> bool) -> unit Lwt.t
(** [await t p] waits until [p ()], which is checked after each write and at {!progress}. *)

val progress : t -> unit

val take : t -> Stream.t -> Stream.next Lwt.t
(** [take t s] is {!Stream.next}, never [Nothing_yet]: it waits. *)

val put : t -> Stream.t -> string -> Stream.sent Lwt.t
(** [put t s message] is {!Stream.send}, never [Wait]: it waits. *)

val close : t -> unit Lwt.t
(** [close t] closes the flow if it is a {!Weir_flow_lwt.Flow_lwt.closable}, otherwise closes its
    direction if it can; failures are dropped. *)
