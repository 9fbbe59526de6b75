(** Moves the bytes of one side of a connection, for client and server. *)

open Weir_rpc

type t

val create :
  ?on_room:(unit -> unit) ->
  limits:Limits.t ->
  ?room:Turns.t ->
  Outbox.t ->
  #Weir_flow.Flow.flow ->
  t
(** [on_room] is called when the bytes of the outbox have been taken for sending. [room] is the
    {!Outbox.room} of the outbox, if it has one. *)

exception Over of Error.ending

val ending : (unit -> Error.ending) -> Error.ending
(** [ending f] is [f ()], or the reason in {!Over} if [f] raises that. *)

val read : t -> (Weir_flow.Slice.t -> (unit, string) result) -> unit
(** [read t frame] calls [frame] on each frame's content until the stream ends in order.
    @raise Over if it ends otherwise, or if [frame] finds a violation. *)

val write : t -> bool
(** [write t] sends the bytes of the outbox until {!finish}, and then ends the stream. It is true if
    the flow could shut down its direction ({!Weir_flow.Flow.half_close}).
    @raise Over if the flow fails. *)

val wake : t -> unit
(** [wake t] says that the outbox has bytes to send. *)

val finish : t -> unit
(** [finish t] says that no more bytes will be added to the outbox. *)

val with_room : t -> (unit -> 'a) -> 'a
(** [with_room t f] takes the lock {!Outbox.room} and calls [f ()], which may add to the outbox and
    must not wait. *)

val await : t -> (unit -> bool) -> unit
(** [await t p] waits until [p ()], which is checked after each write and at {!progress}. *)

val progress : t -> unit

val take : t -> Stream.t -> Stream.next
(** [take t s] is {!Stream.next}, never [Nothing_yet]: it waits. *)

val put : t -> Stream.t -> string -> Stream.sent
(** [put t s message] is {!Stream.send}, never [Wait]: it waits. *)

val close : t -> unit
(** [close t] closes the flow if it is a {!Weir_flow.Flow.closable}; otherwise it shuts down its
    direction if it can. Exceptions are dropped. *)

(** {1 Time} *)

val now : _ Eio.Time.Mono.t -> Weir_base.Time.t
val sleep_until : _ Eio.Time.Mono.t -> Weir_base.Time.t -> unit

val after : _ Eio.Time.Mono.t -> int -> Weir_base.Time.t
(** [after clock ns] is {!Deadline.after}. *)
