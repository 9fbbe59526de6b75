(** The threads study's workloads, in each style as its users would write them. [basic fn n] blocks
    [n] times in sequence; [recurse fn n] blocks once, at a stack depth of [n] calls;
    [recurse2 fn n] blocks at each of [n] nested calls. *)

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
(** In Eio, the function itself blocks. *)

(** With explicit binds. *)
module Bound : sig
  val times : int -> (unit -> unit Lwt.t) -> unit Lwt.t
  (** [times n f] runs [f] [n] times in sequence. *)

  val basic : (unit -> unit Lwt.t) -> int -> unit Lwt.t
  val recurse : (unit -> unit Lwt.t) -> int -> unit Lwt.t
  val recurse2 : (unit -> unit Lwt.t) -> int -> unit Lwt.t
end
