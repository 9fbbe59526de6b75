(** OCaml names and comments from those of schemas. *)

module Files = Files

val keywords : string list

val builtin : string list
(** Types that generated code names without a path: no generated type may hide them. *)

val snake : string -> string
(** [snake "fooBar"] is ["foo_bar"]; other characters than letters and digits become underscores. *)

val free : string list -> string -> string
(** [free taken s] is [s], with underscores after it until it is not taken. *)

val value : ?taken:string list -> string -> string
(** [value s] is the name of a value, type or label: not a keyword, not [taken]. *)

val capital : ?taken:string list -> string -> string
(** [capital s] is the name of a module or constructor. *)

val distinct : (taken:string list -> string -> string) -> string list -> (string * string) list
(** [distinct name l] pairs each of [l] with its name, all different. *)

val doc : string -> string -> string
(** [doc indent text] is a documentation comment and a newline, or nothing if [text] is blank. *)

val tidy : string -> string
(** [tidy code] is in lines of at most 100 columns where they can be broken, one empty line at a
    time. *)
