(** Converts between flows and [Lwt_io]'s buffered channels. *)

module Flow_lwt = Weir_flow_lwt.Flow_lwt

exception Failed of Weir_flow.Flow.error
(** Raised by a channel when its flow fails. *)

val of_flow :
  ?close:(unit -> unit Lwt.t) -> #Flow_lwt.flow -> Lwt_io.input_channel * Lwt_io.output_channel
(** [of_flow f] is channels over [f]. [close] is called once both are closed. *)

val to_flow : Lwt_io.input_channel -> Lwt_io.output_channel -> Flow_lwt.flow
(** [to_flow ic oc] is a flow over channels; each write is flushed. The flow has no [close]: close
    the channels. *)

type Weir_flow.Flow.flow_error += Channel of exn  (** an exception of a channel *)
