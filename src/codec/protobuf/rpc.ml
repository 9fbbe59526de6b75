(** A method of a service, typed: what a framed call over a flow needs to know of it. *)

type ('request, 'response) t = {
  service : string;  (** full name *)
  name : string;
  request : 'request Codec.t;
  response : 'response Codec.t;
  client_streams : bool;
  server_streams : bool;
}

(** A method and what answers it. *)
type handler = Handler : ('request, 'response) t * ('request -> 'response) -> handler
