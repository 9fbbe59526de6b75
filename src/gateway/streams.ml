open Eio.Std
module Interception = Weir_eio.Interception
module Connection = Weir_eio.Connection
open Record
open Decision
open Shared

(* Closing with SO_LINGER 0 sends a RST. *)
let reset socket =
  try Eio.Net.setsockopt socket Eio.Net.Sockopt.SO_LINGER (Some 0) with Eio.Io _ -> ()

let connect t ~net ~sw destination =
  let address, port = Outside.to_eio destination in
  let attempt () = Ok (Eio.Net.connect ~sw net (`Tcp (address, port))) in
  match Eio.Time.Timeout.(run_exn (v t.clock (span t.connect_timeout_ns))) attempt with
  | connected -> connected
  | exception Eio.Time.Timeout -> Error (`Drop, Timed_out)
  | exception (Eio.Io _ as e) -> Error (failure e)

let serve_stream t r request ~sw service =
  match Interception.accept request ~sw with
  | exception Eio.Io _ -> Abandoned
  | client -> (
      r.connected_ns <- now t;
      match service.stream (Connection.socket client) with
      | () ->
          r.client_closed <- true;
          Closed
      | exception (Eio.Io _ | End_of_file) -> Reset_by_client)

let no_delay socket =
  try Eio.Net.setsockopt socket Eio.Net.Sockopt.TCP_NODELAY true
  with Eio.Io _ | Unix.Unix_error _ -> ()

(* What either side sends at once goes on at once. [inside] is the program's connection, whoever
   opened it. *)
let relay ?(inward = false) t r ~inside ~outer =
  no_delay outer;
  no_delay (Connection.socket inside);
  let info () = Some { client = Connection.tcp_info inside; server = Relay.kernel_info outer } in
  r.info <- info;
  let out n = r.sent <- r.sent + n and in_ n = r.received <- r.received + n in
  let progress : Relay.progress =
    {
      sent = (if inward then in_ else out);
      received = (if inward then out else in_);
      client_closed = (fun () -> r.client_closed <- true);
    }
  in
  let last () =
    let last = info () in
    r.info <- (fun () -> last)
  in
  let outcome =
    Fun.protect ~finally:last @@ fun () ->
    Relay.run ?limit:(t.limit r) ~client:inside ~server:outer progress
  in
  match outcome with
  | Closed -> Closed
  | Reset_by_client ->
      reset outer;
      if inward then Reset_by_server else Reset_by_client
  | Reset_by_server ->
      Connection.abort inside;
      if inward then Reset_by_client else Reset_by_server
  | Limited ->
      reset outer;
      Connection.abort inside;
      Limited

let stand_between t r request ~sw server =
  match Interception.accept request ~sw with
  | exception Eio.Io _ ->
      reset server;
      Abandoned
  | client ->
      r.connected_ns <- now t;
      relay t r ~inside:client ~outer:server

let decide_and_relay t ~net request r =
  match t.decide Tcp r.destination with
  | Refuse ->
      Interception.refuse request;
      Denied
  | Drop ->
      Interception.drop request;
      Denied
  | Unreachable_for reason ->
      Interception.unreachable request reason;
      Denied
  | Serve service -> Switch.run @@ fun sw -> serve_stream t r request ~sw service
  | To (address, port) -> (
      Switch.run @@ fun sw ->
      match connect t ~net ~sw (address, port) with
      | Ok server -> stand_between t r request ~sw server
      | Error (answer, ending) ->
          (match answer with
          | `Drop -> Interception.drop request
          | `Refuse -> Interception.refuse request
          | `Unreachable reason -> Interception.unreachable request reason);
          ending)

let request t ~net q =
  t.connections <- t.connections + 1;
  Fun.protect ~finally:(fun () ->
      t.connections <- t.connections - 1;
      Interception.drop q)
  @@ fun () ->
  recorded t Tcp ~source:(Interception.source q) ~destination:(Interception.destination q)
    (decide_and_relay t ~net q)

(* -- from outside ---------------------------------------------------------- *)

(* From another port, if the client's own is taken. *)
let connect_in interception ~sw ~source destination =
  match Interception.connect interception ~sw ~source destination with
  | exception (Eio.Io _ as e) when Outside.error e = Some EADDRINUSE ->
      Interception.connect interception ~sw ~source:(fst source, 0) destination
  | c -> c

let let_in t interception ~source ~destination outer =
  recorded t Tcp ~source ~destination @@ fun r ->
  Switch.run @@ fun sw ->
  match connect_in interception ~sw ~source destination with
  | exception (Eio.Io _ as e) ->
      reset outer;
      snd (failure e)
  | inside ->
      r.connected_ns <- now t;
      relay ~inward:true t r ~inside ~outer

let stream_in t interception ~source ~destination outer =
  if t.connections < t.max_connections then (
    t.connections <- t.connections + 1;
    Fun.protect
      ~finally:(fun () -> t.connections <- t.connections - 1)
      (fun () -> let_in t interception ~source ~destination outer))
  else reset outer
