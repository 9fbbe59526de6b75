(** Makes a {!Model} from the compiler's request, read in place by {!Schema}. *)

val request : Weir_capnp.Message.t -> Model.t
(** [request m] is the model of the request [m].
    @raise Weir_capnp.Message.Error if the request is malformed.
    @raise Failure if it uses a feature that this plugin does not support. *)
