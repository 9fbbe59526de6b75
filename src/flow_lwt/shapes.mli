(** Flows with the signatures that functors require: Mirage's [Mirage_flow.S] (4.0) and the flow of
    a Conduit 3 protocol. Neither package is needed: the modules match their signatures. *)

type connection
(** A flow with the further operations that these signatures require. *)

val connection :
  ?shutdown:([ `read | `write | `read_write ] -> unit Lwt.t) ->
  close:(unit -> unit Lwt.t) ->
  #Flow_lwt.flow ->
  connection
(** [connection ~close flow] is [flow], closed by [close ()], which is called once. [shutdown]
    defaults to doing nothing. *)

(** {1 Mirage}

    A write after [close] or after a shutdown of that side is [`Closed]; so is one that fails with
    {!Weir_flow.Flow.Closed}. A read after [close] is [`Eof]. *)
module Mirage : sig
  type error = Flow_lwt.error
  type write_error = [ `Closed | `Flow of Flow_lwt.error ]

  val pp_error : Format.formatter -> error -> unit
  val pp_write_error : Format.formatter -> write_error -> unit

  type flow = connection

  val read : flow -> ([ `Data of Cstruct.t | `Eof ], error) result Lwt.t
  val write : flow -> Cstruct.t -> (unit, write_error) result Lwt.t
  val writev : flow -> Cstruct.t list -> (unit, write_error) result Lwt.t
  val shutdown : flow -> [ `read | `write | `read_write ] -> unit Lwt.t
  val close : flow -> unit Lwt.t
end

(** {1 Conduit 3} *)
module Conduit : sig
  type input = Cstruct.t
  type output = Cstruct.t
  type +'a io = 'a Lwt.t
  type error = [ `Closed | `Flow of Flow_lwt.error ]

  val pp_error : Format.formatter -> error -> unit

  type flow = connection

  val recv : flow -> input -> ([ `Input of int | `End_of_flow ], error) result io

  val send : flow -> output -> (int, error) result io
  (** [send] writes all bytes or fails. *)

  val close : flow -> (unit, error) result io
end
