(** What a server offers: methods with what answers them. *)

type handler =
  | Handler : ('request, 'response) Method.t * ('request -> 'response) -> handler
      (** The function may wait, and may raise {!Failure.Failed} to answer with a failure. *)

type t

val make : handler list -> t
(** @raise Invalid_argument if two methods have one name. *)

val prepare :
  t -> string -> Weir_flow.Slice.t -> (unit -> Weir_message.Output.t -> unit, Failure.t) result
(** [prepare t name request] decodes the request for the method [name]; the function then calls its
    handler, and what that returns writes the response. *)
