(** The words of a filter expression. *)

type t = { text : string;  (** in lower case *) at : int  (** its offset in bytes *) }

val all : string -> t list
(** [all s] is the words of [s], then an empty word for its end. A word is one of the operators
    [( ) ! && || = == != < <= > >=], or a run of other bytes without spaces and control characters.
*)
