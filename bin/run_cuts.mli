(** What is cut, and what was. *)

type cut
type t

val create : unit -> t

val add : t -> Run_scope.t -> cut
(** [add t scope] may be cut later. *)

val begin_ : cut -> at:Weir_base.Time.t -> unit
val end_ : t -> cut -> at:Weir_base.Time.t -> unit

val scopes : t -> Run_scope.t list
(** [scopes t] is all that may be cut. *)

val is_cut : t -> (Run_scope.t -> bool) -> bool
(** [is_cut t fits] is true if anything is cut now whose scope [fits]. *)

val past : t -> until:Weir_base.Time.t -> (Weir_base.Time.t * Weir_base.Time.t * string) list
(** [past t ~until] is when something was cut, up to [until], and its scope; the first 10,000. *)
