(** Fibers that wait for an event of a connection, a listener or a socket.

    Like [Eio.Condition], but without a mutex, and a wait allocates a third as many words. Every
    domain may use it. *)

type t

val create : unit -> t

val await : t -> (unit -> 'a option) -> 'a
(** [await t f] is the first [Some] that [f] returns. [f] is called now, and again after each
    {!broadcast}, also one during [f]. A fiber may be cancelled while it waits. *)

val broadcast : t -> unit
(** [broadcast t] wakes all fibers that wait, in the order in which they came. *)
