(** How much of anything a peer may make us hold or do. Each bound has a status that the server
    sends when it is passed. *)

type t = {
  request_line : int;
      (** bytes of the request line without its CRLF; past it 414 (or 501 if the method alone fills
          it). A client applies it to the status line. *)
  header_bytes : int;
      (** bytes of all header lines with the empty one; past it 431. Trailers have their own as
          long. *)
  header_count : int;  (** number of header fields; past it 431. Trailers likewise. *)
  body_bytes : int;  (** bytes of a body, chunk framing not counted; past it 413 *)
  chunk_line : int;  (** bytes of one chunk-size line with its extensions; past it 400 *)
  chunk_extensions : int;  (** bytes of all extensions of one body; past it 400 *)
  drain_bytes : int;
      (** bytes of a request body that the server reads and drops, when the handler did not want it,
          to keep the connection *)
}

val default : t
(** 8 KiB of request line, 32 KiB and 100 of header fields, 8 MiB of body, 256 bytes of chunk line,
    16 KiB of extensions, 64 KiB of drain. *)
