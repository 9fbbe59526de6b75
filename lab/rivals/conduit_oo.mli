(** Conduit's operations (partial writes, close, a cast) on objects. *)

type _ ty = ..
type error = [ `Msg of string ]

class type flow = object
  method recv : Cstruct.t -> ([ `Input of int | `End_of_flow ], error) Lwt_result.t
  method send : Cstruct.t -> (int, error) Lwt_result.t
  method close : (unit, error) Lwt_result.t
  method cast : 'a. 'a ty -> 'a option
end

val recv : #flow -> Cstruct.t -> ([ `Input of int | `End_of_flow ], [> error ]) Lwt_result.t
val send : #flow -> Cstruct.t -> (int, [> error ]) Lwt_result.t
val close : #flow -> (unit, [> error ]) Lwt_result.t
val cast : #flow -> 'a ty -> 'a option
val null : flow
val data : unit -> flow
val copy : Cstruct.t -> #flow -> (unit, [> error ]) Lwt_result.t

(** The same in direct style. *)
module Direct : sig
  class type flow = object
    method recv : Bytes.t -> off:int -> len:int -> int
    method send : Bytes.t -> off:int -> len:int -> int
    method close : unit
  end

  val null : flow
  val data : unit -> flow
  val copy : Bytes.t -> #flow -> unit
end
