(** What the generator makes of small schemas, as committed; its own bootstrap; and the requests
    that dune's rules generate from, against what protoc makes today of the same schemas. *)

val cases : Weir_test.Suite.case list
