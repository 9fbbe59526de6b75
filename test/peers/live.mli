(** `weir serve` as a process on [tap0], with a site, and the kernel at the other end. *)

type t = {
  env : Weir_programs.Programs.env;
  sw : Eio.Switch.t;
  link : World.link;
  server : Weir_programs.Programs.running;
  dir : string;  (** a scratch folder *)
  capture : string;  (** the file that the server records into *)
}

val files : (string * string) list
(** Name and content of the site's files; the names are not encoded. *)

val encode : string -> string
(** [encode name] is [name] for a URL. *)

val url : string -> string

val with_server :
  ?link:World.link ->
  ?arguments:string list ->
  ?record:bool ->
  ?prepare:(sw:Eio.Switch.t -> Weir_programs.Programs.env -> dir:string -> unit) ->
  (t -> unit) ->
  unit
(** [with_server f] calls [prepare], then starts `weir serve` over [link] ({!World.Tap}) and calls
    [f] once the site answers; if the server is still there afterwards, it ends it by SIGINT and
    checks that it ends well. [record] is [true] unless given. *)

val interrupt : t -> unit
(** [interrupt t] sends SIGINT and checks: status 0 within 6 s, nothing on standard error, the TAP
    gone. *)

val gone : unit -> bool
(** [gone ()] is whether there is no [tap0]. *)

val answers : t -> unit
(** [answers t] checks that a small file can be fetched. *)
