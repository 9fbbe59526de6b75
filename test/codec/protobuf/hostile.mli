(** Memory that text and JSON take, for nasty inputs. *)

val cases : Weir_test.Suite.case list
