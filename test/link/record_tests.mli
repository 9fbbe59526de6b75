val cases : Weir_test.Suite.case list

(** {1 For other captures} *)

val packets : string -> (Weir_base.Time.t * int * string) list
(** [packets file] is the time, the length and the bytes kept of each; a failed test unless [file],
    the contents, is a whole capture. *)

val temporary : (string -> 'a) -> 'a
(** [temporary f] is [f path] with an empty file that is removed afterwards. *)

val read : string -> string

val with_limit : int -> (unit -> 'a) -> 'a
(** [with_limit n f] is [f ()] while no file of this process may grow past [n] bytes. *)
