(** The threads study's workloads, written in each style as a user of it would. An iteration of
    [basic fn n] blocks [n] times in a row; of [recurse fn n], once under a stack of [n] calls; of
    [recurse2 fn n], at each of its calls. *)

module type DIRECT = sig
  type promise

  val basic : (unit -> promise) -> int -> unit
  val recurse : (unit -> promise) -> int -> unit
  val recurse2 : (unit -> promise) -> int -> unit
end

module Threads : DIRECT with type promise = unit Lwt.t
module Prompts : DIRECT with type promise = unit Lwt.t
module Lwt_direct : DIRECT with type promise = unit Lwt.t

module Eio : DIRECT with type promise = unit
(** The function that an Eio program calls blocks by itself. *)

(** Bound by hand. *)
module Bound : sig
  val times : int -> (unit -> unit Lwt.t) -> unit Lwt.t
  (** [times n f] is [f] run [n] times in a row. *)

  val basic : (unit -> unit Lwt.t) -> int -> unit Lwt.t
  val recurse : (unit -> unit Lwt.t) -> int -> unit Lwt.t
  val recurse2 : (unit -> unit Lwt.t) -> int -> unit Lwt.t
end
