(** What answers requests. *)

type t = Request.t -> Response.t
(** A handler may wait, read the request's body, and give a body that is made while it is sent. An
    exception becomes the status that {!Server} says. *)

val not_found : t
(** [not_found] answers 404. *)
