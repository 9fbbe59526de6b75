(** The framed transport: each message after its length, 4 bytes big-endian. *)

type extent =
  | Need of int  (** this many bytes, in all, before more can be said *)
  | Whole of int  (** a frame's content, 4 bytes after its beginning, has this length *)

val extent : ?limit:int -> Bytes.t -> off:int -> len:int -> extent
(** [extent b ~off ~len] looks at the frame that begins at [off], of which [len] bytes are there.
    @raise Error.Error if it is longer than [limit] bytes (16,384,000). *)

val of_string : string -> string
(** [of_string s] is [s] framed, however long: a limit is the reader's.
    @raise Invalid_argument if it has 2 GiB or more. *)
