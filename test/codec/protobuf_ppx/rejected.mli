(** Type definitions that the deriver refuses, with what it says and where: against
    [rejected.expected]. *)

val groups : (string * Weir_test.Suite.case list) list
