(** Markdown to HTML, by [cmark-gfm]. *)

type heading = {
  level : int;
  id : string;  (** as GitHub makes it *)
  title : string;  (** as HTML *)
}

val part : Pages.part -> string -> string
(** [part p text] is that part of [text]. A section's heading becomes one of the first level.
    @raise Failure if there is no such section. *)

val html : string -> string
(** [html text] is [text] as HTML.
    @raise Failure if [cmark-gfm] cannot be run. *)

val with_headings : string -> string * heading list
(** [with_headings html] gives each heading an identity and a link to itself, and lists them. *)

val slug : string -> string
(** [slug title] is the identity of a heading with this title (HTML), if it is the page's first. *)

val text : string -> string
(** [text html] is [html] without tags, entities and repeated spaces. *)

val replace : string -> (string array -> string) -> string -> string
(** [replace re f s] is [s] with [f groups] in place of each match of [re] ([Str]'s syntax).
    [groups.(0)] is the match, the others its groups, empty if they took no part. *)
