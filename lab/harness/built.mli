(** Programs that [lab/peers/build] made for a study. *)

val find : study:string -> string option -> string -> (string, string) result
(** [find ~study folder name] is the path of the program [name] in what [lab/peers/build] made, or
    why it is not there. *)
