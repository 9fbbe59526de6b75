(** The peers: programs in other languages, as references. *)

type peer = { subject : string; peer : Peer.t }

val start : string option -> peer list * (string * string) list
(** [start folder] starts the programs that [lab/peers/build] made in [folder]. It returns the
    peers, and the subjects that cannot be measured, with the reason. *)

val program : string option -> string -> (string, string) result
(** [program folder name] is the path of that peer's program, or why it is missing. *)

val tests : string list
(** The tests of each peer: [read], [write], [rw]. *)
