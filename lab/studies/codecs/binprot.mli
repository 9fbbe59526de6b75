(** bin_prot, with its deriver. *)

val subjects : Subject.t list
(** [binprot] writes into a new buffer each time, as the study did; [binprot-reused] into the same
    buffer. *)
