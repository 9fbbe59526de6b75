open Lwt.Syntax
module Connection = Weir_lwt.Connection
module Network = Weir_lwt.Network
module Server = Weir_http_lwt.Server

type live = { mutable idle : bool; connection : Connection.t }

type t = {
  clock : Weir_lwt.Clock.t;
  server : Server.t;
  handler : Weir_http_lwt.Handler.t;
  max_connections : int;
  log : (string -> unit) option;
  live : (int, live) Hashtbl.t;
  mutable next : int;
  stopped : bool ref;
  mutable listener : Network.listener option;
  mutable served : unit Lwt.t;
}

let create ~clock ?(max_connections = 10_000) ?log handler =
  let timer : Weir_http_lwt.Time_limits.timer =
    { now = clock.Weir_lwt.Clock.now; sleep = Weir_lwt.Clock.sleep clock }
  in
  let stopped = ref false in
  {
    clock;
    server = Server.create ~timer ~now:Unix.gettimeofday ~stop:(fun () -> !stopped) ();
    handler;
    max_connections;
    log;
    live = Hashtbl.create 64;
    next = 0;
    stopped;
    listener = None;
    served = Lwt.return_unit;
  }

let transport c : Weir_http_lwt.Transport.t =
  {
    read = (fun b ~off ~len -> Weir_lwt.get (Connection.read c b ~off ~len));
    write = (fun b ~off ~len -> Weir_lwt.get (Connection.write c b ~off ~len));
    shutdown_send =
      (fun () ->
        Connection.shutdown c `Send;
        Lwt.return_unit);
  }

let logger t c =
  Option.map
    (fun print ->
      let peer = Ipaddr.V4.to_string (fst (Connection.remote c)) in
      fun entry -> print (Weir_http.Access_log.line ~peer ~time:(Unix.gettimeofday ()) entry))
    t.log

(* A broken connection, or one whose time is over, is the peer's business. *)
let answer t c =
  Connection.set_nodelay c true;
  let entry = { idle = true; connection = c } and id = t.next in
  t.next <- id + 1;
  Hashtbl.add t.live id entry;
  Lwt.finalize
    (fun () ->
      Lwt.catch
        (fun () ->
          Server.serve_connection
            ~on_idle:(fun idle -> entry.idle <- idle)
            ?log:(logger t c) t.server (transport c) t.handler)
        (function
          | Weir_lwt.Error.Error _ | Weir_http_lwt.Time_limits.Timed_out -> Lwt.return_unit
          | e -> Lwt.fail e))
    (fun () ->
      Hashtbl.remove t.live id;
      Lwt.return_unit)

(* A defect, but only one connection's. *)
let on_error e = Printf.eprintf "weir: serving: %s\n%!" (Printexc.to_string e)

let serve t host ~port =
  match Network.listen host ~port ~backlog:1024 with
  | Error e -> Fail.failed "cannot listen on port %d: %s" port (Fmt.str "%a" Weir_lwt.Error.pp e)
  | Ok l ->
      t.listener <- Some l;
      t.served <- Network.serve ~max_connections:t.max_connections ~on_error l (answer t);
      t.served

let stop t ~timeout_ns =
  t.stopped := true;
  let* () = match t.listener with Some l -> Network.close_listener l | None -> Lwt.return_unit in
  Hashtbl.fold (fun _ e idle -> if e.idle then e.connection :: idle else idle) t.live []
  |> List.iter (fun c -> ignore (Connection.close c : unit Lwt.t));
  Lwt.pick [ Lwt.protected t.served; Weir_lwt.Clock.sleep t.clock timeout_ns ]
