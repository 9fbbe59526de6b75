type connection = {
  flow : Flow_lwt.flow;
  on_shutdown : [ `read | `write | `read_write ] -> unit Lwt.t;
  on_close : unit -> unit Lwt.t;
  mutable is_closed : bool;
  mutable no_reads : bool;
  mutable no_writes : bool;
}

let connection ?(shutdown = fun _ -> Lwt.return_unit) ~close flow =
  {
    flow :> Flow_lwt.flow;
    on_shutdown = shutdown;
    on_close = close;
    is_closed = false;
    no_reads = false;
    no_writes = false;
  }

type write_error = [ `Closed | `Flow of Flow_lwt.error ]

let pp_write_error ppf = function
  | `Closed -> Format.pp_print_string ppf "the flow is closed"
  | `Flow e -> Flow_lwt.pp_error ppf e

let write_error : [ `Flow of Flow_lwt.error ] -> write_error = function
  | `Flow (Weir_flow.Flow.Closed, _) -> `Closed
  | `Flow _ as e -> (e :> write_error)

let writing t f =
  if t.no_writes then Lwt_result.fail `Closed else Lwt_result.map_error write_error (f t.flow)

let close t =
  t.no_reads <- true;
  t.no_writes <- true;
  if t.is_closed then Lwt.return_unit
  else begin
    t.is_closed <- true;
    t.on_close ()
  end

module Mirage = struct
  type error = Flow_lwt.error
  type nonrec write_error = write_error

  let pp_error = Flow_lwt.pp_error
  let pp_write_error = pp_write_error

  type flow = connection

  let read t =
    if t.no_reads then Lwt_result.return `Eof
    else Lwt_result.map_error (fun (`Flow e) -> e) (Flow_lwt.read t.flow)

  let write t buf = writing t (fun f -> Flow_lwt.write f buf)
  let writev t bufs = writing t (fun f -> Flow_lwt.writev f bufs)

  let shutdown t side =
    if side <> `write then t.no_reads <- true;
    if side <> `read then t.no_writes <- true;
    t.on_shutdown side

  let close = close
end

module Conduit = struct
  type input = Cstruct.t
  type output = Cstruct.t
  type +'a io = 'a Lwt.t
  type error = write_error

  let pp_error = pp_write_error

  type flow = connection

  let recv t buf =
    if t.no_reads then Lwt_result.return `End_of_flow
    else
      Lwt.map
        (function
          | Ok `Eof -> Ok `End_of_flow
          | Ok (`Input n) -> Ok (`Input n)
          | Error e -> Error (write_error e))
        (Flow_lwt.read_into t.flow buf)

  let send t buf =
    Lwt_result.map (fun () -> Cstruct.length buf) (writing t (fun f -> Flow_lwt.write f buf))

  let close t = Lwt.map Result.ok (close t)
end
