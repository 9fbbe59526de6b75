(** Programs that [lab/peers/build] made for a study. *)

val find : study:string -> string option -> string -> (string, string) result
(** [find ~study folder name] is the path of the program [name] that [lab/peers/build] made in
    [folder], or an explanation of why it is missing. *)
