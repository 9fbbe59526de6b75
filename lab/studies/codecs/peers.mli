(** The reference rows: which peers there are, and where. *)

type peer = { subject : string; peer : Peer.t }

val start : string option -> peer list * (string * string) list
(** [start folder] starts what [lab/peers/build] made in [folder], and says of each other subject
    why it is not measured. *)

val program : string option -> string -> (string, string) result
(** [program folder name] is the path of that peer's program, or why there is none. *)

val tests : string list
(** What each is asked: [read], [write], [rw]. *)
