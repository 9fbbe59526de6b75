type t = Request.t -> Response.t

let not_found _ = Response.of_status 404
