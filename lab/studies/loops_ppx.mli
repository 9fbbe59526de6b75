(** {!Loops.Bound} as lwt_ppx lets one write it. *)

val times : int -> (unit -> unit Lwt.t) -> unit Lwt.t
val basic : (unit -> unit Lwt.t) -> int -> unit Lwt.t
val recurse : (unit -> unit Lwt.t) -> int -> unit Lwt.t
val recurse2 : (unit -> unit Lwt.t) -> int -> unit Lwt.t
