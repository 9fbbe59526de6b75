(** Limits on the memory and work that a peer can cause. Most have a status that the server sends
    when the limit is exceeded. *)

type t = {
  request_line : int;
      (** bytes of the request line without its CRLF; above it 414 (501 if the method is too long).
          A client applies it to the status line. *)
  header_bytes : int;
      (** bytes of all header lines with the empty line; above it 431. Trailers have the same limit
          again. *)
  header_count : int;
      (** number of header fields; above it 431. Trailers have the same limit again. *)
  body_bytes : int;  (** bytes of a body without chunk framing; above it 413 *)
  chunk_line : int;  (** bytes of one chunk-size line with its extensions; above it 400 *)
  chunk_extensions : int;  (** bytes of all extensions of one body; above it 400 *)
  drain_bytes : int;
      (** bytes of a request body that the server reads and drops to keep the connection, when the
          handler did not read them; above it the connection closes *)
}

val default : t
(** 8 KiB of request line, 32 KiB and 100 of header fields, 8 MiB of body, 256 bytes of chunk line,
    16 KiB of extensions, 64 KiB of dropped body. *)
