(** Unix file descriptors as flows. Calls block the domain: for programs without a scheduler, and
    for tests. The descriptor must be in blocking mode. System errors become
    {!Weir_flow.Flow.Error}: a broken pipe or a reset is [Reset], a closed flow is [Closed], another
    is {!Unix}. *)

type Weir_flow.Flow.flow_error += Unix of Unix.error * string  (** the error, and the system call *)

val of_fd : on_release:((unit -> unit) -> unit) -> Unix.file_descr -> Weir_flow.Flow.half_close
(** [of_fd ~on_release fd] is a flow over [fd], which it now owns. It has no [close]: [on_release f]
    is called once, and the flow lives until [f] is called ([Eio.Switch.on_release sw] is such a
    function). [shutdown_send] shuts a socket down and does nothing to another descriptor. It knows
    {!Weir_flow.Flow.Half_close}. *)

val of_fd_closable : Unix.file_descr -> Weir_flow.Flow.closable
(** [of_fd_closable fd] is a flow over [fd] that its user closes. It knows
    {!Weir_flow.Flow.Closable}. *)
