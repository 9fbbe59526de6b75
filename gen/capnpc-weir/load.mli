(** From the compiler's request, read in place, to the model. *)

val request : Weir_capnp.Message.t -> Model.t
(** @raise Weir_capnp.Message.Error if the request is malformed.
    @raise Failure if it holds what this plugin does not know. *)
