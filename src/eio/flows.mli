(** Between Weir's flows and Eio's: any program for one reads and writes the other. *)

open Weir_flow

type Flow.flow_error += Eio of exn  (** what an Eio flow raised *)

(** Marks an Eio resource that is a Weir TCP connection, for {!of_eio}. *)
type (_, _, _) Eio.Resource.pi += Nodelay : ('t, 't -> bool -> unit, [> `Nodelay ]) Eio.Resource.pi

val error : exn -> Flow.error
(** [error e] converts an exception [e] of an Eio socket to a flow error: {!Flow.Closed},
    {!Flow.Reset} or {!Flow.Timeout} for a connection's end, else {!Eio}. *)

val fail : exn -> 'a
(** [fail e] raises {!Flow.Error} of {!error}. It must be called in the handler of [e] and keeps its
    backtrace. *)

val of_eio : [> Eio.Flow.two_way_ty ] Eio.Resource.t -> Flow.half_close
(** [of_eio f] is [f]: all bytes are copied once more. What [f] raises as [Eio.Io] becomes
    {!Flow.Error} by {!error}. It knows {!Flow.Half_close}, and {!Flow.Closable} if [f] can be
    closed, and {!Flow.Nodelay} if it is a socket of Weir's or of the kernel's. *)

val to_eio : #Flow.flow -> Eio.Flow.two_way_ty Eio.Resource.t
(** [to_eio f] is [f]: all bytes are copied once more. {!Flow.Error} is raised as
    [Eio.Net.Connection_reset] if it is {!Flow.Reset} or {!Flow.Closed}, as ETIMEDOUT if it is
    {!Flow.Timeout}, as the original exception if it is {!Eio}, else unchanged. [shutdown `Send]
    uses {!Flow.Half_close} if [f] has it, and otherwise does nothing. *)
