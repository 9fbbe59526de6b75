(** Lines of an access log. Who serves prints them. *)

type entry = {
  request : Request.head option;  (** [None] if what came was no request *)
  status : int;
  body_bytes : int;  (** of the response, without framing *)
}
(** One response. *)

val line : peer:string -> time:float -> entry -> string
(** [line ~peer ~time e] is [e] in the combined log format, without a newline: peer, time (UTC, from
    seconds since 1970), request line, status, bytes, Referer and User-Agent. Quotes, backslashes
    and bytes outside visible ASCII are escaped, so that no peer can forge a line. *)
