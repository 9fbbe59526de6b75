(** The large rows: messages of half a megabyte and of forty, read and written by Weir and by the
    peers, each in a process of its own. *)

val measure :
  quick:bool ->
  progress:(string -> unit) ->
  string option ->
  Tables.measured list * (string * string) list
(** [measure ~quick ~progress folder] is a result for each subject that could be measured, its test
    [large-SHAPE-read/SIZE] or [-write], the size in megabytes; and who could not, with the reason.
    A quick run's messages are small. [folder] is what [lab/peers/build] made. *)
