(** Frames between programs of several [weir run]s on one network. Each has a TAP and a gateway of
    its own. A frame for another member goes to it by {!Run_members}; it is the sender that impairs
    it. *)

type watch =
  now:Weir_base.Time.t -> Run_scope.way -> Weir_base.Frame.t -> Weir_link.Lane.fate -> unit
(** Called for each frame to one other member, with what becomes of it, and for each that arrives;
    for what a sender did to a frame for this member too. The frame must not be kept. *)

type t

val make : Run_members.t -> watch:watch -> t

val link : t -> Weir_link.Link.t -> Weir_link.Link.t
(** [link t tap] is the program's TAP for its gateway: frames for other members go to them. Call it
    once. *)

val run : t -> clock:_ Eio.Time.Mono.t -> unit
(** [run t ~clock] carries frames until it is cancelled. *)

val all_sent : t -> bool
(** [all_sent t] is true if no frame to another member is held. *)

(** {1 For reports} *)

val cuts : t -> (Weir_base.Time.t * Weir_base.Time.t * string) list
(** [cuts t] is when this member was cut from others, by the system's monotonic clock, and what was
    said. *)

val queues : t -> (string * int * int) list
(** As {!Run_conditions.queues}, of rates between this member and others. *)

val in_words : t -> string list
(** [in_words t] is a line for each option of another member. *)
