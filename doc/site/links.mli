(** Checks of a site's links. *)

val faults : string -> string list
(** [faults folder] is a line for each link within the site in [folder] that leads to no file, or to
    no anchor of its page, and for each link to elsewhere that is no address. *)

val html_files : string -> string list
(** [html_files folder] is the HTML files below [folder], as paths from there. *)

val files : string -> string list

val resolve : from:string -> string -> string
(** [resolve ~from path] is [path], as the file [from] names it, from the root. *)
