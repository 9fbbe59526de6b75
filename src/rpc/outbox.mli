(** Outgoing packets, framed and gathered in one buffer: packets added during a write are sent
    together by the next write. *)

type t

val create : unit -> t

val add :
  ?head:(Weir_message.Output.t -> unit) -> t -> limit:int -> (Weir_message.Output.t -> unit) -> unit
(** [add t ~limit write] adds a frame of at most [limit] bytes: those of [head], then those of
    [write]. If either raises, nothing is added.

    While [write] waits, other fibers may add frames to [t], which go first. In this case [head] is
    called again when the frame is added, so that it writes the current state. [head] must not wait.
    @raise Weir_message.Output.Too_long if there are more bytes. *)

val defer : t -> (unit -> unit) -> unit
(** [defer t add] makes the next {!take} call [add ()], which {!add}s a few bytes or nothing. *)

val length : t -> int
(** [length t] is the approximate number of bytes that wait to be taken. *)

val room : t -> unsent:int -> Turns.t
(** [room t ~unsent] is a fair lock for {!add}. It is granted while at most [unsent] bytes wait. Its
    holder must release it after {!add}. Call {!Turns.advance} after {!take} and {!close}. *)

val close : t -> unit
(** [close t] says that nothing more will be sent; {!length} is then 0. *)

val take : t -> Weir_flow.Slice.t
(** [take t] is a view of all bytes that wait, valid until {!sent} or the next [take]. *)

val sent : t -> unit
(** [sent t] ends the view and frees a large buffer. *)
