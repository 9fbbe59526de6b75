(** Messages of many megabytes, each of one shape, for the large rows: what a schema's text, an array
    of measurements or a store of files would be. The same bytes each time. *)

val all : string list
(** The shapes' names, without [large-]. *)

val bytes : string -> int -> string
(** [bytes shape n] is an encoding of [Large_pb.Large] of about [n] bytes.
    @raise Invalid_argument if there is no such shape. *)
