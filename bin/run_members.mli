(** Who is on a network of [--join], and what members tell each other. One of them, the owner, has
    the network's socket and passes all on. When it ends, another takes its place. *)

type t

val join : network:string -> name:string -> says:string list -> t
(** [join ~network ~name ~says] becomes a member, or the owner if there is no such network of this
    user. Every member gets the lines [says]. Under Eio, {!run} follows.
    @raise Fail.Usage if [name] is not a host name, or taken; or the network is full. *)

val name : t -> string

val number : t -> int
(** [number t] is 0 for the first member; no two members have the same one. *)

val all : t -> (string * int) list
(** [all t] are the members of now, by name, with their numbers; this one too. *)

val said : t -> (int * string list) list
(** [said t] is what members of now said, in order of their numbers. *)

val began_ns : t -> int
(** [began_ns t] is when the network began, by the system's monotonic clock. *)

val clock_ns : unit -> int

val on_change : t -> (unit -> unit) -> unit
(** [on_change t f]: [f] is called whenever {!all} or {!said} may have changed. *)

(** {1 Messages} *)

val header : int
(** The bytes before a message: a letter of the user's choice, none of [HMPE], and what is for this
    module. *)

val longest : int
(** The most bytes of a message, with its {!header}. *)

val send : t -> to_:int -> Bytes.t -> unit
(** [send t ~to_ b] sends [b], which has a {!header} in front, to a member. It is lost if the member
    does not keep up, or is not there. *)

val on_message : t -> (from:int -> Bytes.t -> unit) -> unit
(** [on_message t f]: [f ~from b] is called for each message; it owns [b]. *)

val run : t -> clock:_ Eio.Time.Mono.t -> unit
(** [run t ~clock] carries messages until it is cancelled. *)

val leave : t -> unit
(** [leave t] ends the membership; the owner removes its socket. Idempotent. *)
