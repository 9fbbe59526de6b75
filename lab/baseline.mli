(** An earlier run's JSON, to compare with. *)

open Weir_lab_harness

val read : string -> (Row.t list, string) result
(** [read file] is the rows of the JSON that {!Row.json} wrote there; those whose value is null are
    left out. [Error] says what is wrong with the file. *)

val compare : before:Row.t list -> Row.t list -> string
(** [compare ~before now] is a table of the rows that have changed, the greatest change first, and
    lines that count the others. A row has changed if its intervals do not overlap and it differs by
    more than 3%; words must differ by half a word too. A time that has a ratio ({!Row.ratios}) is
    compared by that and not by itself. The last lines say how many times and ratios of both runs
    have intervals that do not overlap, by however little. *)
