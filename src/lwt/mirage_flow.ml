type error = Error.t

let pp_error = Error.pp

type write_error = [ `Closed | `Failed of Error.t ]

let pp_write_error f = function
  | `Closed -> Fmt.string f "the flow is closed"
  | `Failed e -> Error.pp f e

type flow = Connection.t

let read = Connection.read_fresh

let write_result p =
  Lwt.map
    (Result.map_error (function Error.Closed_locally | Tcp Reset -> `Closed | e -> `Failed e))
    p

let writev c bufs = write_result (Connection.writev c bufs)
let write c buf = writev c [ buf ]

let shutdown c how =
  Connection.shutdown c (match how with `read -> `Receive | `write -> `Send | `read_write -> `All);
  Lwt.return_unit

let close = Connection.close
