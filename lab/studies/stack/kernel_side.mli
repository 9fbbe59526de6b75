(** The kernel's TCP through its sockets: the other end of every bulk transfer over a device, and a
    subject itself. *)

val serve : [ `In | `Out ] -> offload:bool -> bytes:int -> unit
(** [serve direction ~offload ~bytes] takes one connection at {!Load.port} of a {!Space.joined}
    namespace, as [bulk] of a {!Driver} does. *)

val transfer : [ `In | `Out ] -> bytes:int -> Reading.t
(** [transfer direction ~bytes] connects to {!Space.there} and sends [bytes] ([`In]), or receives as
    many. The time of the rate is from the connection to the end of the stream from the other side,
    which comes when it has received or sent everything.
    @raise Child.Failed if another number of bytes arrives. *)
