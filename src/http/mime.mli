(** Media types by file name. *)

val of_name : string -> string
(** [of_name name] is the type that the extension says, with [charset=utf-8] for text that browsers
    show or run; [application/octet-stream] if none is known. *)
