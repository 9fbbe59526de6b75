(** Echo requests. *)

val answer :
  Shared.t ->
  (Ipaddr.t -> sequence:int -> string -> string option) ->
  Weir_eio.Interception.echo ->
  unit
(** [answer t ping e] decides on [e], and answers it when [ping] is answered. *)
