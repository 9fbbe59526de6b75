(** Moving the bytes of one side of a connection: what client and server do alike. *)

open Weir_rpc

type t

val create :
  ?on_room:(unit -> unit) ->
  limits:Limits.t ->
  ?room:Turns.t ->
  Outbox.t ->
  #Weir_flow_lwt.Flow_lwt.flow ->
  t
(** [on_room] is called when what was in the outbox is being sent. [room] is the outbox's
    {!Outbox.room}, if it has one. *)

exception Over of Error.ending
(** What rejects the promises of {!read} and {!write}. *)

val ending : (unit -> Error.ending Lwt.t) -> Error.ending Lwt.t
(** [ending f] is what [f ()] is resolved with, or rejected as {!Over}. *)

val read : t -> (Weir_flow.Slice.t -> (unit, string) result Lwt.t) -> unit Lwt.t
(** [read t frame] calls [frame] on each frame's content, one after the other, until the stream ends
    in order; the content is a view until [frame]'s promise is resolved. It is rejected with {!Over}
    if the stream ends otherwise, or if [frame] finds a violation. *)

val write : t -> bool Lwt.t
(** [write t] sends what comes into the outbox, and after {!finish} the end of the stream; it is
    resolved then with whether the flow could say so to the peer
    ({!Weir_flow_lwt.Flow_lwt.half_close}). It is rejected with {!Over} if the flow fails. *)

val wake : t -> unit
(** [wake t]: there is something to be sent. *)

val finish : t -> unit
(** [finish t]: what is in the outbox is the last. *)

val with_room : t -> (unit -> 'a) -> 'a Lwt.t
(** [with_room t f] waits until so little is unsent that more may be made, in turn with others, and
    is resolved with [f ()], which adds it. *)

val await : t -> (unit -> bool) -> unit Lwt.t
(** [await t p] waits until [p ()], asked again whenever something is sent and at {!progress}. *)

val progress : t -> unit

val take : t -> Stream.t -> Stream.next Lwt.t
(** [take t s] is {!Stream.next}, never [Nothing_yet]: it waits. *)

val put : t -> Stream.t -> string -> Stream.sent Lwt.t
(** [put t s message] is {!Stream.send}, never [Wait]: it waits. *)

val close : t -> unit Lwt.t
(** [close t] closes the flow if it is a {!Weir_flow_lwt.Flow_lwt.closable}, else ends its own
    direction if it can; what that fails with is dropped. *)
