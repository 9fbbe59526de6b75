(** JSON by code of its own ([json=fast]) and by tables: the same of all messages and inputs. *)

val cases : Weir_test.Suite.case list
