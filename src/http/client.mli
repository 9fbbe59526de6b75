(** An HTTP/1.1 client for one flow: requests one after the other, in direct style. Connecting, time
    limits and following redirects are the caller's. *)

type t

val create : ?limits:Limits.t -> #Weir_flow.Flow.flow -> t
(** [create flow] is a client over [flow], which the caller closes, and on which Nagle's algorithm
    is switched off if it knows how. [limits] are of responses; the default is {!Limits.default}
    with no bound on the body, which is never held whole. *)

type response = {
  head : Response_parser.head;
  length : int option;  (** of the body, if the server said *)
  body : Weir_flow.Flow.reader;
      (** without its framing, until the next request; [read_into] raises {!Error.Failed} if the
          server breaks off or breaks the rules *)
}

val request :
  ?headers:(string * string) list ->
  ?body:Response.body ->
  ?close:bool ->
  t ->
  Http.Method.t ->
  Url.t ->
  (response, Error.t) result
(** [request t meth url] sends a request and waits for the head of the response (interim ones are
    skipped). What is left of the previous response's body is read first. [close] (default false)
    asks the server to close afterwards. A stream as [body] is closed in any case. *)

val get : ?headers:(string * string) list -> t -> Url.t -> (response, Error.t) result
val head : ?headers:(string * string) list -> t -> Url.t -> (response, Error.t) result

val reusable : t -> bool
(** [reusable t] is whether another request may be sent, once the body was read. *)

val read_all : ?limit:int -> response -> (string, Error.t) result
(** [read_all r] is the whole body; an error if it is longer than [limit] bytes (default 16 MiB). *)

val header : response -> string -> string option
(** [header r name] is the value of the last field [name]. *)
