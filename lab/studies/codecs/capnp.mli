(** Cap'n Proto, by the code that capnpc-weir makes. *)

val subjects : Subject.t list
(** [capnp] reads to a record and writes to a new string. Its test [visit] reads all fields in place
    in an open message, and adds up the numbers and the lengths of the texts; [open-visit] also
    opens the message. [capnp-reused] writes into one builder again and again, and reads from it. *)
