(** The page that stands for a directory without an index. *)

val html : path:Path.t -> (string * [ `File | `Directory ]) list -> string
(** [html ~path entries] links to the entries, directories first, by name; names are escaped. At
    most {!max_entries} are shown, and how many are not. *)

val max_entries : int
(** 10,000. *)
