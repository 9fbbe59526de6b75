(** bin_prot, by its deriver. *)

val subjects : Subject.t list
(** [binprot] writes into a new buffer, as the study did; [binprot-reused] always into the same one.
*)
