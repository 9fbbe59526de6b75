val blocks : Cmdliner.Manpage.block list
(** The manual of [weir dump]. *)
