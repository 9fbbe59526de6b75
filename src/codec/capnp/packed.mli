(** The packed encoding: a tag byte a word, zero bytes left out, runs of zero words and of dense
    words counted (Cap'n Proto's encoding specification, "Packing"). *)

val add : Bytes.t -> off:int -> len:int -> Buffer.t -> unit
(** [add b ~off ~len out] appends the packed form of whole words.
    @raise Invalid_argument if [len] is not a multiple of 8 within [b]. *)

val pack : string -> string
val of_builder : Builder.t -> string

val unpack : ?limit:int -> string -> string
(** [unpack s] is what {!pack} packed; at most [limit] bytes, by default 16 times [s] and 1 MB: two
    bytes can stand for 2 KiB.
    @raise Message.Error if [s] is cut off or unpacks to more. *)

val message :
  ?limit:int ->
  ?memory:int ->
  ?traversal:int ->
  ?depth:int ->
  Bytes.t ->
  off:int ->
  len:int ->
  Message.t * int
(** [message b ~off ~len] unpacks one framed message and says how many packed bytes it took, so that
    a stream of them can be read.
    @raise Message.Error as {!unpack} and {!Message.of_frame} do. *)
