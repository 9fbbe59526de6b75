module Flow_lwt = Weir_flow_lwt.Flow_lwt

type t = {
  read : Bytes.t -> off:int -> len:int -> int Lwt.t;
  write : Bytes.t -> off:int -> len:int -> unit Lwt.t;
  write_by : (want:int -> (Bytes.t -> int -> int -> int) -> int Lwt.t) option;
  shutdown_send : unit -> unit Lwt.t;
}

exception Failed of Weir_flow.Flow.error

let fail (`Flow e) = Lwt.fail (Failed e)

let of_flow ?(shutdown_send = fun () -> Lwt.return_unit) flow =
  Flow_lwt.send_at_once flow;
  let read b ~off ~len =
    let buf = Cstruct.create_unsafe len in
    Lwt.bind (Flow_lwt.read_into flow buf) (function
      | Ok (`Input n) ->
          Cstruct.blit_to_bytes buf 0 b off n;
          Lwt.return n
      | Ok `Eof -> Lwt.return 0
      | Error e -> fail e)
  in
  let write b ~off ~len =
    Lwt.bind
      (Flow_lwt.write flow (Cstruct.of_bytes b ~off ~len))
      (function Ok () -> Lwt.return_unit | Error e -> fail e)
  in
  { read; write; write_by = None; shutdown_send }
