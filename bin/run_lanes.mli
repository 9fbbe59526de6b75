(** One direction of packets: which lane and which bottleneck a packet takes. *)

open Weir_link

type t

val create : seed:(Run_where.t -> int array) -> Run_change.t list -> t
(** [create ~seed changes] has a lane for each place that an impairment of [changes] names, and a
    bottleneck for each that a rate names. [seed where] is that of a lane. *)

val set : t -> at:Weir_base.Time.t -> Run_change.t -> unit
(** [set t ~at c] applies an impairment or a rate of the changes that [t] was created with. A trace
    begins at [at]. *)

val enter : t -> now:Weir_base.Time.t -> fits:(Run_where.t -> bool) -> Frame.t -> Lane.fate
(** [enter t ~now ~fits f] takes ownership of [f]. Of the places in force that it [fits], the most
    specific decides; [fits Run_where.everywhere] must be true. *)

val enter_untouched : t -> now:Weir_base.Time.t -> Frame.t -> unit
(** [enter_untouched t ~now f] passes [f] on as it is, and draws no verdict. *)

val all : t -> Lane.t array
(** [all t] is where entered frames are. *)

val is_scoped : t -> bool
(** [is_scoped t] is true if [fits] matters. *)

val queues : t -> ways:Run_scope.way list -> (string * int * int) list
(** [queues t ~ways] is a line for each limited rate: what it is, the length of its queue, the
    longest that the queue was; bytes. [ways] is what [t] is called in the line. *)
