(** {!Loops.Bound}, written with lwt_ppx. *)

val times : int -> (unit -> unit Lwt.t) -> unit Lwt.t
val basic : (unit -> unit Lwt.t) -> int -> unit Lwt.t
val recurse : (unit -> unit Lwt.t) -> int -> unit Lwt.t
val recurse2 : (unit -> unit Lwt.t) -> int -> unit Lwt.t
