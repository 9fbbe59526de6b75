(** A method of a service, typed: what a framed call over a flow needs to know of it. Types only, so
    this file has no interface of its own. *)

type ('request, 'response) t = {
  service : string;  (** full name *)
  name : string;
  request : 'request Codec.t;
  response : 'response Codec.t;
  client_streams : bool;
  server_streams : bool;
}

(** {1 With streams}

    Any number of messages in place of one, by what the schema says. *)

(** [returns (stream …)] *)
type ('request, 'response) download = Download of ('request, 'response) t [@@unboxed]

(** [(stream …) returns] *)
type ('request, 'response) upload = Upload of ('request, 'response) t [@@unboxed]

(** Both. *)
type ('request, 'response) exchange = Exchange of ('request, 'response) t [@@unboxed]

(** {1 Servers} *)

(** A method and what answers it. A stream of requests is a function that waits for the next, [None]
    at the end; a stream of responses one that takes them, and waits for room. *)
type handler =
  | Handler : ('request, 'response) t * ('request -> 'response) -> handler
  | Download : ('request, 'response) download * ('request -> ('response -> unit) -> unit) -> handler
  | Upload : ('request, 'response) upload * ((unit -> 'request option) -> 'response) -> handler
  | Exchange :
      ('request, 'response) exchange * ((unit -> 'request option) -> ('response -> unit) -> unit)
      -> handler
