(** Several ranges of one file as a body, [multipart/byteranges] (RFC 9110 §14.6). *)

type t

val make : seed:string -> kind:string -> Range.part list -> of_:int -> t
(** [make ~seed ~kind parts ~of_] has the [parts] of a file of [of_] bytes and media type [kind].
    The boundary is made from [seed], which must differ between files, versions of a file, and
    requests. *)

val content_type : t -> string
(** [content_type t] is the body's media type, with its boundary. *)

val content_range : Range.part -> of_:int -> string
(** [content_range part ~of_] is the Content-Range field's value (RFC 9110 §14.4). *)

val length : t -> int
(** [length t] is how many bytes the body has. *)

val reader :
  t -> read_at:(int -> Bytes.t -> off:int -> len:int -> int) -> Bytes.t -> off:int -> len:int -> int
(** [reader t ~read_at] is a {!Response.stream}'s [read] that makes the body from first to last
    byte. [read_at] reads the file, as in {!Files.file}. The reader returns 0 before the body's end
    if the file has become shorter. *)
