(** Where one way of writing or reading ends and another begins: widths of numbers, of lengths and
    of tags; what stands before and behind a message; very many elements. *)

val groups : (string * Weir_test.Suite.case list) list
