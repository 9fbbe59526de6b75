(** An HTTP/1.1 client for one flow: requests one after the other, in direct style. Connecting, time
    limits and following redirects are the caller's. *)

type t

val create : ?limits:Limits.t -> #Weir_flow.Flow.flow -> t
(** [create flow] is a client over [flow]; the caller closes [flow]. Nagle's algorithm is switched
    off if [flow] supports it. [limits] apply to responses. The default is {!Limits.default} without
    a limit on the body, which is not kept in memory. *)

type response = {
  head : Response_parser.head;
  length : int option;  (** of the body, if the server said *)
  body : Weir_flow.Flow.reader;
      (** the body without its framing, to be read before the next request. [read_into] raises
          {!Error.Failed} if the response is cut short or malformed. *)
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
    skipped). First it reads and drops the rest of the previous response's body. [close] (default
    false) asks the server to close afterwards. A stream as [body] is always closed. *)

val get : ?headers:(string * string) list -> t -> Url.t -> (response, Error.t) result
val head : ?headers:(string * string) list -> t -> Url.t -> (response, Error.t) result

val reusable : t -> bool
(** [reusable t] is whether another request may be sent after the body has been read. *)

val read_all : ?limit:int -> response -> (string, Error.t) result
(** [read_all r] is the whole body; an error if it is longer than [limit] bytes (default 16 MiB). *)

val header : response -> string -> string option
(** [header r name] is the value of the last field [name]. *)
