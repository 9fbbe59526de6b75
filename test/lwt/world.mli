(** Two hosts on one cable, and what every test says. *)

module Connection = Weir_lwt.Connection
module Network = Weir_lwt.Network
module Error = Weir_lwt.Error

type t = { a : Weir_lwt.host;  (** the server, 10.0.0.1 *) b : Weir_lwt.host  (** 10.0.0.2 *) }
type wrap = Weir_link.Link.t -> Weir_link.Link.t

val run_virtual : ?config:Weir_core.Config.t -> ?wrap:wrap -> (t -> unit Lwt.t) -> unit
(** [run_virtual f] runs [f] on virtual time; [wrap] changes the client's end of the cable. *)

val run_real : ?config:Weir_core.Config.t -> ?wrap:wrap -> (t -> unit Lwt.t) -> unit
(** [run_real f] runs [f] by the system's clock. *)

val limited : Weir_lwt.Clock.t -> s:int -> 'a Lwt.t -> 'a Lwt.t
(** [limited clock ~s p] is [p], or a failure after [s] seconds. *)

val server_address : string
val ip : string -> Ipaddr.t
val ok : ('a, Error.t) result Lwt.t -> 'a Lwt.t
val get_ok : ('a, Error.t) result -> 'a
val listen : ?backlog:int -> ?port:int -> t -> Network.listener
val connect : ?port:int -> t -> Connection.t Lwt.t
val both : 'a Lwt.t -> 'b Lwt.t -> unit Lwt.t

val pair : t -> (Connection.t * Connection.t) Lwt.t
(** [pair w] is the server's and the client's end of a connection. *)

val read_all : Connection.t -> string Lwt.t
val write : Connection.t -> string -> unit Lwt.t

val pattern : int -> string
(** [pattern n] is [n] bytes of a seeded pattern. *)

val same : string -> string -> string -> unit
(** [same name a b] checks that [a] and [b] are equal, by digest. *)

val fails : string -> (Error.t -> bool) -> ('a, Error.t) Lwt_result.t -> unit Lwt.t
(** [fails name expected p] checks that [p] is an error of the expected kind. *)

val closed_locally : Error.t -> bool
val is_reset : Error.t -> bool

val impaired : int -> wrap
(** [impaired seed] is a bad link. *)

val idle_second : unit -> unit Lwt.t
(** [idle_second ()] passes a real second and fails unless the process slept through it. *)
