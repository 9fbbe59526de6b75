(** Calls of a generated service over anything that carries messages (framed or not): the bytes of
    one message at a time. *)

type client

val client : ?send:(string -> unit) -> Kind.protocol -> (string -> string) -> client
(** [client p exchange] calls by [exchange request], which is the reply; oneway calls use [send].
    Several calls may be under way if [exchange] can tell their replies apart. *)

val serve :
  Kind.protocol -> (string -> Reader.t -> (Writer.t -> unit) option) -> string -> string option
(** [serve p dispatch request] is the reply to a call, [None] to a oneway one. [dispatch] is a
    generated service's, given a handler. {!Application.E} is answered as it is; what else it raises
    and the service does not declare passes through.
    @raise Error.Error if [request] is no message. *)

(** {1 For generated code} *)

val call : client -> string -> (Writer.t -> unit) -> (Reader.t -> 'a) -> 'a
(** @raise Application.E if the server says so. *)

val oneway : client -> string -> (Writer.t -> unit) -> unit
val no_result : string -> 'a
