(** The page for a directory without an index file. *)

val html : path:Path.t -> (string * [ `File | `Directory ]) list -> string
(** [html ~path entries] links to the entries, directories first, by name; names are escaped. The
    page shows at most {!max_entries} entries and the number of the others. *)

val max_entries : int
(** 10,000. *)
