(** A host's TCP with the signature [Tcpip.Tcp.S] (tcpip 9), which includes [Mirage_flow.S]. Mirage
    is not needed.

    One type of that signature is a record that Mirage defines: {!Keepalive.t} has the same fields,
    and [doc/mirage.md] shows how to convert it. *)

module Keepalive : sig
  type t = {
    after : int64;  (** nanoseconds of silence before the first probe *)
    interval : int64;  (** nanoseconds between probes *)
    probes : int;  (** unanswered probes before the connection is aborted *)
  }
end

type t

val of_host : Host.t -> t

type error = [ `Timeout | `Refused | `Failed of Error.t ]

type write_error = [ `Closed | error ]
(** [`Closed]: closed here, or reset by the peer. *)

type ipaddr = Ipaddr.t
type flow = Connection.t

val pp_error : error Fmt.t
val pp_write_error : write_error Fmt.t

(** {1 Flows}

    As in {!Mirage_flow}, with the errors of TCP. *)

val read : flow -> ([ `Data of Cstruct.t | `Eof ], error) result Lwt.t
val write : flow -> Cstruct.t -> (unit, write_error) result Lwt.t
val writev : flow -> Cstruct.t list -> (unit, write_error) result Lwt.t

val write_nodelay : flow -> Cstruct.t -> (unit, write_error) result Lwt.t
(** [write_nodelay c data] writes [data]. From then on [c] sends small segments at once. *)

val writev_nodelay : flow -> Cstruct.t list -> (unit, write_error) result Lwt.t
val shutdown : flow -> [< `read | `write | `read_write ] -> unit Lwt.t
val close : flow -> unit Lwt.t
val dst : flow -> ipaddr * int
val src : flow -> ipaddr * int

(** {1 Opening} *)

val create_connection : ?keepalive:Keepalive.t -> t -> ipaddr * int -> (flow, error) result Lwt.t
(** [create_connection t (a, port)] is an established connection. Cancelling it resets the half-open
    connection. *)

val listen : t -> port:int -> ?keepalive:Keepalive.t -> (flow -> unit Lwt.t) -> unit
(** [listen t ~port f] runs [f c] for each connection [c] to [port]. [c] stays open when [f c] is
    resolved. If [f c] fails, [c] is closed, and the exception goes to {!Lwt.async_exception_hook}.
    Another [listen] at [port] replaces [f].
    @raise Invalid_argument unless [port] is 1 to 65,535.
    @raise Error.Error if the port cannot be listened at, such as when it is in use. *)

val unlisten : t -> port:int -> unit
(** [unlisten t ~port] refuses new connections. Existing ones stay open. *)

val input : t -> src:ipaddr -> dst:ipaddr -> Cstruct.t -> unit Lwt.t
(** [input] is rejected with [Invalid_argument]: segments come from the host's own link. *)

val disconnect : t -> unit Lwt.t
(** [disconnect t] stops all listeners. *)
