(** A request as a handler sees it (RFC 9110 §6). *)

type head = {
  meth : Http.Method.t;
  target : string;  (** as received: ["/path?query"], an absolute URI, or ["*"] *)
  version : Http.Version.t;  (** [`HTTP_1_1] stands for any later 1.x too *)
  headers : Http.Header.t;
}
(** All that precedes the body. *)

type t = {
  head : head;
  body : Weir_flow.Flow.reader;
      (** the body without its framing; empty if the request has none. It may be read until the
          response has been sent; after that, reading raises [Invalid_argument]. A malformed or too
          long body raises {!Error.Failed}. *)
}

val no_body : Weir_flow.Flow.reader
(** [no_body] is an empty body. *)

val meth : t -> Http.Method.t

val path : head -> string
(** [path h] is the path of the target, still percent-encoded, without the query; ["/"] if the
    target is an absolute URI without one. *)

val host : head -> string
(** [host h] is the [host:port] of an absolute target (RFC 9112 §3.2.2), else of the Host field;
    [""] if there is neither. *)

val query : head -> string option
(** [query h] is the part of the target after the first [?], still percent-encoded. *)

val header : t -> string -> string option
(** [header t name] is the value of the last field [name]. *)

val read_all : ?limit:int -> t -> string
(** [read_all t] is the whole body.
    @raise Error.Failed with status 413 if it is longer than [limit] bytes (default 1 MiB). *)
