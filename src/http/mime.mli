(** Media types by file name. *)

val of_name : string -> string
(** [of_name name] is the media type of [name]'s extension, with [charset=utf-8] for text that
    browsers show or run; [application/octet-stream] for an unknown extension. *)
