(** Cap'n Proto, by the code that capnpc-weir makes. *)

val subjects : Subject.t list
(** [capnp]: read to a record, written to a new string; its further tests are [visit], all fields in
    place in a message that is open, numbers added and texts by their length, and [open-visit],
    which opens it too. [capnp-reused] writes into a builder that is used again, and reads there. *)
