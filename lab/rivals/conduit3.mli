(** The style of Conduit 3: protocols are first-class modules in a global registry, a flow is a
    value of an extensible type whose constructor identifies the protocol, writes may be partial,
    and errors are messages. *)

type error = [ `Msg of string | `Not_found ]

module type PROTOCOL = sig
  type flow
  type error

  val pp_error : Format.formatter -> error -> unit
  val recv : flow -> Cstruct.t -> ([ `Input of int | `End_of_flow ], error) result Lwt.t
  val send : flow -> Cstruct.t -> (int, error) result Lwt.t
  val close : flow -> (unit, error) result Lwt.t

  type endpoint

  val connect : endpoint -> (flow, error) result Lwt.t
end

type flow = ..

type ('endpoint, 'flow) protocol
(** A registered protocol. *)

val register :
  protocol:(module PROTOCOL with type endpoint = 'e and type flow = 'f) -> ('e, 'f) protocol

val connect : 'e -> ('e, 'f) protocol -> (flow, [> error ]) Lwt_result.t
val recv : flow -> Cstruct.t -> ([ `Input of int | `End_of_flow ], [> error ]) Lwt_result.t
val send : flow -> Cstruct.t -> (int, [> error ]) Lwt_result.t
val close : flow -> (unit, [> error ]) Lwt_result.t

val cast : flow -> ('e, 'f) protocol -> 'f option
(** [cast flow p] is the flow of [p] in [flow], if [flow] is of [p]. *)

val null : (unit, unit) protocol

type data

val data : (unit, data) protocol
val copy : Cstruct.t -> flow -> (unit, [> error ]) Lwt_result.t

(** The same in direct style. *)
module Direct : sig
  type flow = ..

  val null : unit -> flow
  val data : unit -> flow
  val recv : flow -> Bytes.t -> off:int -> len:int -> int
  val send : flow -> Bytes.t -> off:int -> len:int -> int
  val close : flow -> unit
  val copy : Bytes.t -> flow -> unit
end
