(** Paths of request targets as names in a tree. No path leads out of the tree. *)

type t = {
  names : string list;
      (** decoded; none is empty, [.] or [..] or has a slash, backslash or control *)
  slash : bool;  (** whether the path ended in a slash, or is the root *)
}

val of_encoded : string -> (t, string) result
(** [of_encoded s] decodes an absolute path once: [%252e] becomes the name [%2e]. Repeated slashes
    count as one. It is an error with the reason for malformed percent-encoding, dot segments, and
    slashes, backslashes or control characters in names, encoded or not. *)

val to_encoded : t -> string
(** [to_encoded t] begins with exactly one slash. *)
