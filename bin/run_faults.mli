(** The faults of connections and questions, and the chance of each now. *)

type t

val make : seed:int -> Run_change.t list -> t
(** [make ~seed changes] is all faults of [changes]; none has a chance yet. *)

val set : t -> Run_change.t -> unit
(** [set t c] sets the chance of one. *)

val of_connection : t -> names:string list -> Ipaddr.t * int -> Run_change.kind option
(** [of_connection t ~names destination] draws for a connection to [destination], by which the
    program knows [names]. *)

val of_question : t -> string -> [ `Servfail | `Nxdomain | `Timeout ] option
(** [of_question t name] draws for a question for [name]. *)
