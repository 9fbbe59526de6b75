(** The kernel's own TCP by its sockets: the other end of every bulk over a device, and a subject
    itself. *)

val serve : [ `In | `Out ] -> offload:bool -> bytes:int -> unit
(** [serve direction ~offload ~bytes] takes one connection at {!Load.port} of a {!Space.joined}
    namespace, as [bulk] of a {!Driver} does. *)

val transfer : [ `In | `Out ] -> bytes:int -> Reading.t
(** [transfer direction ~bytes] connects to {!Space.there} and sends [bytes] ([`In]), or takes that
    many; the rate lasts from the connection to the end of the stream that the other side sends when
    it has, or has sent, everything.
    @raise Child.Failed if another number of bytes arrives. *)
