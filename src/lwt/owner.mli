(** The domain to which a value belongs. *)

type t

val here : unit -> t
(** [here ()] is the calling domain. *)

val is_here : t -> bool

val check : t -> unit
(** [check t] does nothing in domain [t]. It allocates nothing.

    @raise Error.Wrong_domain in any other domain. *)
