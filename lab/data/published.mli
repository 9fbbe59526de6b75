(** The studies' published numbers, each a CSV text whose first lines, that begin with [#], say
    where it is from and what its columns are. {!Csv.rows} reads it. *)

val flows : string
val threads : string
val stack : string
val codecs : string
