(** The pages of the site that are made of Markdown, in the order of its navigation. *)

type part =
  | Whole
  | Before of string  (** what stands before the section of this title *)
  | Section of string  (** one section of the second level *)

type t = {
  url : string;  (** from the site's root *)
  source : string;  (** from the checkout's root *)
  part : part;  (** which part of the source *)
  name : string;  (** in the navigation *)
}

val groups : (string * t list) list
val all : t list
