(** A connection with the signature [Mirage_flow.S] (mirage-flow 4 and 5), so that functors written
    for Mirage can be applied to it. Mirage is not needed. *)

type error = Error.t

val pp_error : error Fmt.t

type write_error = [ `Closed | `Failed of Error.t ]
(** [`Closed]: closed here, or reset by the peer. *)

val pp_write_error : write_error Fmt.t

type flow = Connection.t

val read : flow -> ([ `Data of Cstruct.t | `Eof ], error) result Lwt.t
(** [read c] is a fresh buffer of at least one byte, owned by the caller. *)

val write : flow -> Cstruct.t -> (unit, write_error) result Lwt.t
val writev : flow -> Cstruct.t list -> (unit, write_error) result Lwt.t
val shutdown : flow -> [< `read | `write | `read_write ] -> unit Lwt.t
val close : flow -> unit Lwt.t
