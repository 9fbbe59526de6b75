(** Connections in the shapes of Mirage, Conduit, flows and [Lwt_io]: functors typed in as a user
    would, each copying 10 MB. *)

(** As mirage-flow 4 and 5 have it. *)
module type MIRAGE_FLOW = sig
  type error

  val pp_error : error Fmt.t

  type write_error = private [> `Closed ]

  val pp_write_error : write_error Fmt.t

  type flow

  val read : flow -> ([ `Data of Cstruct.t | `Eof ], error) result Lwt.t
  val write : flow -> Cstruct.t -> (unit, write_error) result Lwt.t
  val writev : flow -> Cstruct.t list -> (unit, write_error) result Lwt.t
  val shutdown : flow -> [ `read | `write | `read_write ] -> unit Lwt.t
  val close : flow -> unit Lwt.t
end

(** As Conduit 3 asks of a protocol. *)
module type CONDUIT_FLOW = sig
  type 'a io = 'a Lwt.t
  type flow
  type input = Cstruct.t
  type output = Cstruct.t
  type error

  val pp_error : error Fmt.t
  val recv : flow -> input -> ([ `Input of int | `End_of_flow ], error) result io
  val send : flow -> output -> (int, error) result io
  val close : flow -> (unit, error) result io

  type endpoint

  val connect : endpoint -> (flow, error) result io
end

val cases : Weir_test.Suite.case list
