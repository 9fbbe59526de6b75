(** The functor style of mirage-flow: an interface, and functors over it. *)

type write_error = [ `Closed ]

module type S = sig
  type error
  type write_error = private [> `Closed ]

  val pp_error : Format.formatter -> error -> unit
  val pp_write_error : Format.formatter -> write_error -> unit

  type flow

  val read : flow -> ([ `Data of Cstruct.t | `Eof ], error) result Lwt.t
  val write : flow -> Cstruct.t -> (unit, write_error) result Lwt.t
  val writev : flow -> Cstruct.t list -> (unit, write_error) result Lwt.t
  val shutdown : flow -> [ `read | `write | `read_write ] -> unit Lwt.t
  val close : flow -> unit Lwt.t
end

module Null : S with type flow = unit

module Data : sig
  include S

  val create : unit -> flow
end

module Test (F : S) : sig
  val copy : F.flow -> (unit, [> `Read of F.error | `Write of F.write_error ]) Lwt_result.t
end

(** The same in direct style. A read returns at most {!Message.chunk} bytes, 0 at the end. *)

module type DIRECT = sig
  type flow

  val read_into : flow -> Bytes.t -> off:int -> len:int -> int
  val write : flow -> Bytes.t -> off:int -> len:int -> unit
  val close : flow -> unit
end

module Null_direct : DIRECT with type flow = unit

module Data_direct : sig
  include DIRECT

  val create : unit -> flow
end

module Test_direct (F : DIRECT) : sig
  val copy : Bytes.t -> F.flow -> unit
end
