(** [--join NAME]: programs of several [weir run]s on one network. Each has a TAP and a gateway of
    its own; frames between programs go through a switch in one of these processes, the owner. When
    it ends, another takes its place. *)

type between
(** What happens to frames between two members, both ways. *)

val between : between Cmdliner.Arg.Conv.t
(** [A,B:IMPAIRMENTS] or [A,B:cut=5s..8s]; [*] stands for every member. *)

type t

val join : network:string -> name:string -> between list -> t
(** [join ~network ~name between] becomes a member, or the owner if there is no such network of this
    user. Under Eio, {!run} follows.
    @raise Fail.Usage if [name] is not a host name, or taken; or the network is full. *)

val number : t -> int
(** [number t] is 0 for the first member; no two members have the same one. *)

val members : t -> (string * int) list
(** [members t] are those of now, by name, with their numbers. *)

val link : t -> Weir_link.Link.t -> Weir_link.Link.t
(** [link t tap] is the program's TAP for its gateway: frames for other members go to them. Call it
    once. *)

val run : t -> clock:_ Eio.Time.Mono.t -> unit
(** [run t ~clock] carries frames until it is cancelled. *)

val leave : t -> unit
(** [leave t] ends the membership; the owner removes its socket. Idempotent. *)
