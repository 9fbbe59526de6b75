(** Byte streams over Lwt: {!Weir_flow.Flow} in monadic style. Operations return [Lwt_result]; the
    error is [`Flow e], in an open row so that a function may add its own.

    Bytes: the flow owns a caller's buffer until the promise is resolved, {e also} while the promise
    is cancelled but not yet resolved. The caller may read a buffer that {!read} returns; its
    contents do not change. Partial reads, close, shutdown and concurrent use are as in
    {!Weir_flow.Flow}; exceptions are for bugs only ([Invalid_argument]). Cancelling a promise
    rejects it with [Lwt.Canceled]. *)

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
  (** By default, a [write] for each, until one fails. *)

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
(** [copy r w] writes all remaining bytes of [r] to [w], through {!read}. It closes neither. *)

val cast : < cast : 'a. 'a ty -> 'a option ; .. > -> 'b ty -> 'b option

(** {1 Extensions in common use}

    As {!Weir_flow.Flow}'s. *)

type half_close = < flow ; shutdown_send : unit Lwt.t >
(** [shutdown_send] tells the peer that the stream ends here, after what was written. Idempotent. *)

type closable = < flow ; close : unit Lwt.t >
(** [close] gives back what the flow holds. Idempotent. Calls under way and later ones fail with
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
(** [pipe ()] is two ends and [close_write], as {!Weir_flow.Pipe.create}: the way to close is
    returned beside the flow. *)

val duplex : ?capacity:int -> unit -> half_close * half_close
(** [duplex ()] is two flows, each reading what the other writes, as {!Weir_flow.Pipe.duplex}. Both
    know {!Half_close}. *)

val of_direct :
  ?switch:Lwt_switch.t -> Weir_flow.Flow.flow -> start:((unit -> unit) -> unit Lwt.t) -> flow
(** [of_direct f ~start] is [f] with each operation run by [start] ([Weir_threads.Threads.start]).
    With [switch], its operations fail with [Closed] once the switch is turned off. It knows
    {!Half_close} and {!Closable} if [f] knows those of {!Weir_flow.Flow}; an exception of theirs
    rejects the promise. *)
