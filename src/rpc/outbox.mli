(** Packets on their way out: gathered, framed, in one run of bytes, so that those that come while
    one write is under way leave together in the next. *)

type t

val create : unit -> t

val add :
  ?head:(Weir_message.Output.t -> unit) -> t -> limit:int -> (Weir_message.Output.t -> unit) -> unit
(** [add t ~limit write] adds the frame that [write] fills with at most [limit] bytes, after those
    of [head]. If either raises, nothing is added.

    [write] may wait, while others use [t]: what they add then goes before, and [head], which may
    not wait, is called once more when the frame is added at last, to say what is then true.
    @raise Weir_message.Output.Too_long if they are more. *)

val defer : t -> (unit -> unit) -> unit
(** [defer t add] has [add ()] called by the next {!take}: it {!add}s what is due by then, in few
    bytes, or nothing. *)

val length : t -> int
(** [length t] is how many bytes wait, about, without those that were taken. *)

val room : t -> unsent:int -> Turns.t
(** [room t ~unsent] is turns at adding to [t], one at a time, while no more than [unsent] bytes
    wait. Who has one leaves when it has added something. To be advanced after {!take} and {!close}.
*)

val close : t -> unit
(** [close t]: nothing is sent any more, and {!length} is 0. *)

val take : t -> Weir_flow.Slice.t
(** [take t] is all that waits, which is a view until {!sent} or the next [take]. *)

val sent : t -> unit
(** [sent t] ends the view: large room is given back. *)
