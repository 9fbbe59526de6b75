(** A function that answers requests. *)

type t = Request.t -> Response.t
(** A handler may wait, read the request's body, and return a body that is made while it is sent. If
    it raises, {!Error.Failed} gives that error's status, a time limit on the request's body 408,
    and any other exception 500. *)

val not_found : t
(** [not_found] answers 404. *)
