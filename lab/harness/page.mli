(** The lab's page: what the studies find, in HTML. It begins with a summary and refers to nothing
    but the JSON files beside it. *)

val json_file : Study.t -> string
(** [json_file study] is the name of the file with its numbers, beside the page. *)

val html :
  command:(string list -> string) ->
  machine:(string * string) list ->
  (Study.t * Study.outcome) list ->
  string
(** [html ~command ~machine outcomes] is the page. [command names] is the command that repeats the
    studies of these names. *)
