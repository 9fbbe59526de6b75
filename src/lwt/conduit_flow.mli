(** A connection with the signature of Conduit 3's protocols: reads into a buffer, writes that may
    be partial, and a [connect] of fixed type. Conduit is not needed. *)

type 'a io = 'a Lwt.t
type input = Cstruct.t
type output = Cstruct.t
type flow = Connection.t
type error = Error.t

val pp_error : error Fmt.t
val recv : flow -> input -> ([ `Input of int | `End_of_flow ], error) result io

val send : flow -> output -> (int, error) result io
(** [send c buf] is how many bytes were written, at least one unless [buf] is empty. *)

val close : flow -> (unit, error) result io

type endpoint = { host : Host.t; address : Ipaddr.t; port : int }

val connect : endpoint -> (flow, error) result io
