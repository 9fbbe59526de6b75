(** The state machine that parses response heads (RFC 9112 §4, §5, §6), for clients. It is as strict
    as {!Request_parser}; its errors have status 502. *)

type t
type step = More | Head | Failed  (** as in {!Request_parser} *)

type head = {
  version : Http.Version.t;
  status : int;  (** 100 to 999 *)
  reason : string;
  headers : Http.Header.t;
}

val create : Limits.t -> t

val start : t -> Input.t -> unit
(** [start t input] prepares for the next response, whose first byte is the next of [input]. *)

val step : t -> Input.t -> step
val error : t -> Error.t
val message : t -> int

(** {1 After [Head]} *)

val head : t -> head

val framing : t -> request:Http.Method.t -> Body.framing
(** [framing t ~request] is the framing of the body (RFC 9112 §6.3): {!Body.empty} after HEAD, 1xx,
    204 and 304; otherwise the length or chunked coding of the head; otherwise {!Body.Until_close}.
*)

val keep_alive : t -> bool
(** [keep_alive t] is whether the server lets the connection persist. *)
