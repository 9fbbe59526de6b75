(** The words of a filter expression. *)

type t = { text : string;  (** in lower case *) at : int  (** bytes before it *) }

val all : string -> t list
(** [all s] is the words of [s] and an empty one for its end. A word is one of the marks
    [( ) ! && || = == != < <= > >=], or a run of bytes that are no mark, space or control character.
*)
