(** Lines of an access log. Who serves prints them. *)

type entry = {
  request : Request.head option;  (** [None] if what came was no request *)
  status : int;
  body_bytes : int;
      (** of the response, without framing; of one that was cut, how many were made, of which the
          last 64 KiB may not have left *)
  cut : bool;
      (** the response ended before its last byte: its body could not be made, or the connection
          broke *)
}
(** One response. *)

val line : peer:string -> time:float -> entry -> string
(** [line ~peer ~time e] is [e] in the combined log format, without a newline: peer, time (UTC, from
    seconds since 1970), request line, status, bytes, Referer and User-Agent, and the word [cut] at
    the end if [e] was. Quotes, backslashes and bytes outside visible ASCII are escaped, so that no
    peer can forge a line. *)
