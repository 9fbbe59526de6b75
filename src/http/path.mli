(** Paths of request targets as names in a tree, out of which no path leads. *)

type t = {
  names : string list;
      (** decoded; none is empty, [.] or [..] or has a slash, backslash or control *)
  slash : bool;  (** whether the path ended in a slash, or is the root *)
}

val of_encoded : string -> (t, string) result
(** [of_encoded s] decodes an absolute path once ([%252e] is a name with a percent sign in it).
    Repeated slashes count as one. The error says what is refused: malformed encoding, dot segments,
    and slashes, backslashes, NUL and control characters in names, plain or encoded. *)

val to_encoded : t -> string
(** [to_encoded t] begins with exactly one slash. *)
