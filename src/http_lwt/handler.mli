(** Handlers that return Lwt promises: the monadic form of {!Weir_http.Handler}. *)

type request = {
  head : Weir_http.Request.head;
  read_body : Bytes.t -> off:int -> len:int -> int Lwt.t;
      (** stores at least one byte of the body and is resolved with the number; 0 at the end. It may
          be called until the response has been sent. A malformed or too long body rejects it with
          {!Weir_http.Error.Failed}. *)
}

type stream = {
  length : int option;  (** bytes, if known *)
  read : Bytes.t -> off:int -> len:int -> int Lwt.t;
      (** stores at most [len] bytes and is resolved with their number; 0 at the end *)
  close : unit -> unit;  (** called once, also if the response is never sent *)
}

type body = Empty | String of string | Stream of stream
type response = { status : Http.Status.t; headers : Http.Header.t; body : body }
type t = request -> response Lwt.t

val of_response : Weir_http.Response.t -> response
(** [of_response r] is [r]; its stream, if any, must not wait. *)

val read_all : ?limit:int -> request -> string Lwt.t
(** [read_all r] is the whole body; {!Weir_http.Error.Failed} with status 413 if it is longer than
    [limit] bytes (default 1 MiB). *)
