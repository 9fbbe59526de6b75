(** Lines of an access log, which the server's owner prints. *)

type entry = {
  request : Request.head option;  (** [None] if no request could be parsed *)
  status : int;
  body_bytes : int;
      (** bytes of the response's body, without framing. If the response was cut: the bytes made, of
          which the last 64 KiB may not have been sent *)
  cut : bool;
      (** the response ended before its last byte: making the body failed, or the connection broke
      *)
}
(** One response. *)

val line : peer:string -> time:float -> entry -> string
(** [line ~peer ~time e] is [e] in the combined log format, without a newline: peer, time (UTC, from
    seconds since 1970), request line, status, bytes, Referer and User-Agent. The line ends with the
    word [cut] if [e.cut]. Quotes, backslashes and bytes outside visible ASCII are escaped, so a
    peer cannot forge a line. *)
