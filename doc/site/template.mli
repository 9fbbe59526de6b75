(** The frame of every page: header, navigation, search. *)

type page = {
  url : string;  (** from the site's root *)
  title : string;  (** as text *)
  body : string;  (** as HTML *)
  under : string;  (** the entry of the navigation that is marked *)
  contents : (string * string) list;  (** links of this page, listed below that entry, as HTML *)
}

val up : string -> string
(** [up url] leads from the page at [url] to the site's root: [""] or ["../"], ["../../"]… *)

val escape : string -> string
(** [escape text] is [text] as HTML. *)

val html : page -> string

val reference : string * string
(** Address and name of the API's entry in the navigation. *)
