(** What [weir run] tells of the connections of a program. *)

type t

val make : log:[ `None | `Text | `Json ] -> t
(** [make ~log] prints a line on standard error for each connection and each pair of UDP addresses
    when it ends, if [log] asks for it. *)

val began : t -> Weir_gateway.record -> unit
val ended : t -> Weir_gateway.record -> unit

val all_sent : t -> bool
(** [all_sent t] is true if all that clients have sent on TCP connections was passed on, and they
    have closed them. *)

val summary : t -> unit
(** [summary t] prints a table of all on standard error, sorted by destination. *)
