(** The kernel's TCP, through sockets: the other end of each bulk transfer over a device, and a
    subject itself. *)

val serve : [ `In | `Out ] -> offload:bool -> bytes:int -> unit
(** [serve direction ~offload ~bytes] accepts one connection at {!Load.port} in a {!Space.joined}
    namespace, as [bulk] of a {!Driver} does. *)

val transfer : [ `In | `Out ] -> bytes:int -> Reading.t
(** [transfer direction ~bytes] connects to {!Space.there} and sends [bytes] ([`In]), or receives as
    many. The rate is over the time from the connection until the other side ends its stream, which
    it does when it has received or sent all bytes.
    @raise Child.Failed if another number of bytes arrives. *)
