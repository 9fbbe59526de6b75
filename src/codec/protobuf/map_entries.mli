(** Entries of map fields. *)

val last_wins : ('k * 'v) list -> ('k * 'v) list -> ('k * 'v) list
(** [last_wins before newest_first] is [before] and then the others, oldest first, where of equal
    keys only the last entry stays. It takes O(n log n), whatever the keys. *)
