(** A program of a user's own: an echo server and its clients in direct style, as threads over the
    Lwt driver, on virtual time. *)

val cases : Weir_test.Suite.case list
