(** Byte streams over Lwt: {!Weir_flow.Flow} in monadic style. Operations return [Lwt_result]. Their
    error is [`Flow e] in an open row, so that a function can add errors of its own.

    Bytes: a flow may use the caller's buffer until the promise is resolved, even if the promise was
    cancelled before. A buffer that {!read} returns may be kept; its contents do not change. Partial
    reads, close, shutdown and concurrent use are as in {!Weir_flow.Flow}; exceptions are for bugs
    only ([Invalid_argument]). Cancelling a promise rejects it with [Lwt.Canceled]. *)

type flow_error = Weir_flow.Flow.flow_error = ..
type error = Weir_flow.Flow.error

val pp_error : Format.formatter -> error -> unit

type 'a io = ('a, [ `Flow of error ]) Lwt_result.t
type input = [ `Input of int | `Eof ]
type data = [ `Data of Cstruct.t | `Eof ]

type _ ty = ..
(** As {!Weir_flow.Flow.ty}: [type _ ty += Key_flow : key_flow ty] adds an interface. *)

class virtual reader : object
  method virtual read_into : Cstruct.t -> input io

  method read : data io
  (** By default, {!read_into} a fresh buffer of 4096 bytes. *)

  method cast : 'a. 'a ty -> 'a option
end

class virtual writer : object
  method virtual write : Cstruct.t -> unit io

  method writev : Cstruct.t list -> unit io
  (** By default it calls [write] for each, until one fails. *)

  method cast : 'a. 'a ty -> 'a option
end

class virtual flow : object
  inherit reader
  inherit writer
end

val read_into : #reader -> Cstruct.t -> (input, [> `Flow of error ]) Lwt_result.t
(** [read_into r buf] is [`Input n], [n > 0] bytes stored at the start of [buf], or [`Eof]. *)

val read : #reader -> (data, [> `Flow of error ]) Lwt_result.t
val write : #writer -> Cstruct.t -> (unit, [> `Flow of error ]) Lwt_result.t
val writev : #writer -> Cstruct.t list -> (unit, [> `Flow of error ]) Lwt_result.t

val copy : #reader -> #writer -> (unit, [> `Flow of error ]) Lwt_result.t
(** [copy r w] writes all remaining bytes of [r] to [w], by {!read}. It closes neither. *)

val cast : < cast : 'a. 'a ty -> 'a option ; .. > -> 'b ty -> 'b option

(** {1 Extensions in common use}

    As {!Weir_flow.Flow}'s. *)

type half_close = < flow ; shutdown_send : unit Lwt.t >
(** [shutdown_send] ends the stream after the bytes written so far and tells the peer. Idempotent.
*)

type closable = < flow ; close : unit Lwt.t >
(** [close] releases the flow's resources. Idempotent. Pending and later calls fail with
    {!Weir_flow.Flow.Closed}. *)

type _ ty +=
  | Half_close : half_close ty
  | Closable : closable ty
  | Nodelay : Weir_flow.Flow.nodelay ty

val send_at_once : < cast : 'a. 'a ty -> 'a option ; .. > -> unit
(** As {!Weir_flow.Flow.send_at_once}. *)

(** {1 Flows} *)

val null : flow
(** As {!Weir_flow.Null.flow}. *)

val source : ?chunk:int -> string -> reader
(** As {!Weir_flow.Memory.source}: [read] copies nothing. *)

val sink : unit -> < writer ; contents : string >
(** As {!Weir_flow.Memory.sink}, without a limit. *)

val pipe : ?capacity:int -> unit -> reader * writer * (unit -> unit)
(** [pipe ()] is two ends and [close_write], as {!Weir_flow.Pipe.create}. *)

val duplex : ?capacity:int -> unit -> half_close * half_close
(** [duplex ()] is two flows, each reading what the other writes, as {!Weir_flow.Pipe.duplex}. Both
    support {!Half_close}. *)

val of_direct :
  ?switch:Lwt_switch.t -> Weir_flow.Flow.flow -> start:((unit -> unit) -> unit Lwt.t) -> flow
(** [of_direct f ~start] is [f] with each operation run by [start] ([Weir_threads.Threads.start]).
    With [switch], operations fail with [Closed] once the switch is turned off. It supports
    {!Half_close} and {!Closable} if [f] supports those of {!Weir_flow.Flow}; their exceptions
    reject the promise. *)
