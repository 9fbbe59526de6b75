(** A response as a handler gives it. The server adds the framing and [Date]; it ignores
    [Content-Length], [Transfer-Encoding] and [Connection] fields of the handler's, but
    [Connection: close], which it obeys. *)

type stream = {
  length : int option;  (** how many, if known; else they go in chunks, or up to the close in 1.0 *)
  read : Bytes.t -> off:int -> len:int -> int;
      (** stores at most [len] bytes (at least 1 is asked for) and says how many; 0 at the end. What
          it stores is sent before it is called again. *)
  close : unit -> unit;  (** called once, also if the response is never sent *)
}
(** Bytes made while they are sent. *)

type body = Empty | String of string | Stream of stream
type t = { status : Http.Status.t; headers : Http.Header.t; body : body }

val make : ?status:Http.Status.t -> ?headers:(string * string) list -> body -> t
(** [make body] has status 200. *)

val text : ?status:Http.Status.t -> ?headers:(string * string) list -> string -> t
(** [text s] is plain text in UTF-8. *)

val html : ?status:Http.Status.t -> ?headers:(string * string) list -> string -> t

val of_status : ?headers:(string * string) list -> int -> t
(** [of_status code] is a one-line page that says its reason, or nothing if the status has no body.
*)

val of_error : Error.t -> t
(** [of_error e] is a page that says [e]'s reason, with its status. *)

val of_reader : ?length:int -> ?close:(unit -> unit) -> Weir_flow.Flow.reader -> body
(** [of_reader r] streams what [r] gives. *)
