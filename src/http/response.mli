(** A response as a handler returns it. The server adds the framing fields and [Date]. It ignores
    the handler's [Content-Length], [Transfer-Encoding] and [Connection] fields, except for
    [Connection: close], after which it closes the connection. *)

type stream = {
  length : int option;
      (** bytes, if known; otherwise the body is chunked, or ends with the connection in HTTP/1.0 *)
  read : Bytes.t -> off:int -> len:int -> int;
      (** stores at most [len >= 1] bytes and returns their number; 0 at the end. The bytes are sent
          before the next call. *)
  close : unit -> unit;  (** called once, also if the response is never sent *)
}
(** A body made while it is sent. *)

type body =
  | Empty
  | String of string
  | Stream of stream
  | Ready of stream
      (** [read] waits for nothing but a disk: for no fiber, promise or network. So the server may
          call it while it has the connection's send buffer, and the bytes are not copied there. *)

type t = { status : Http.Status.t; headers : Http.Header.t; body : body }

val make : ?status:Http.Status.t -> ?headers:(string * string) list -> body -> t
(** [make body] has status 200. *)

val text : ?status:Http.Status.t -> ?headers:(string * string) list -> string -> t
(** [text s] is plain text in UTF-8. *)

val html : ?status:Http.Status.t -> ?headers:(string * string) list -> string -> t

val of_status : ?headers:(string * string) list -> int -> t
(** [of_status code] is a one-line page with the status's reason phrase, or no body if the status
    has none. *)

val of_error : Error.t -> t
(** [of_error e] is a page with [e]'s reason and status. *)

val of_reader : ?length:int -> ?close:(unit -> unit) -> Weir_flow.Flow.reader -> body
(** [of_reader r] is a body of the bytes that [r] reads. *)
