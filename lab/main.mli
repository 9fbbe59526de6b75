(** The lab by itself; `weir lab` is the same. *)
