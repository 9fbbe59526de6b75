(** The page of [weir run --html]: it holds its data, its style and its script, and asks the network
    for nothing. *)

val of_json : Yojson.Safe.t -> string
(** [of_json document] is the page that shows {!Run_document.make}'s value. *)
