(** An earlier run's JSON, to compare with. *)

open Weir_lab_harness

val read : string -> (Row.t list, string) result
(** [read file] is the rows of the JSON that {!Row.json} wrote there; those whose value is null are
    left out. [Error] says what is wrong with the file. *)

val compare : before:Row.t list -> Row.t list -> string
(** [compare ~before now] is a table of the rows in both whose intervals do not meet, the greatest
    change first, and a line that counts the others. *)
