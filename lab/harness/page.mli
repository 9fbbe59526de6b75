(** The lab's report as an HTML page. It begins with a summary. The only other files it uses are the
    JSON files in the same folder. *)

val json_file : Study.t -> string
(** [json_file study] is the name of the JSON file with the study's numbers. *)

val html :
  command:(string list -> string) ->
  machine:(string * string) list ->
  (Study.t * Study.outcome) list ->
  string
(** [html ~command ~machine outcomes] is the page. [command names] is the shell command that repeats
    these studies. *)
