open Weir_core
module Names = Weir_drive.Names
module Lookup = Weir_drive.Lookup

let any = Ipaddr.V6 Ipaddr.V6.unspecified

let is_any (a : Ipaddr.t) =
  match a with
  | V4 a -> Ipaddr.V4.(compare a any) = 0
  | V6 a -> Ipaddr.V6.(compare a unspecified) = 0

(* As for bind(2), no listener or connection may have the port. *)
let port_is_free host port =
  Tcp.may_bind (Stack.tcp (Host.stack host)) ~address:Weir_wire.Ip.any_v6 ~port ~reuse:false

let connect ?(local_port = 0) host address ~port =
  Lwt.bind (if Host.is_closed host then Lwt.return_unit else Host.await_source host address)
  @@ fun () ->
  if Host.is_closed host then Lwt_result.fail Error.Closed_locally
  else if not (port_is_free host local_port) then Lwt_result.fail (Error.Port_in_use local_port)
  else
    match Stack.connect (Host.stack host) ~now:(Host.now host) ~local_port address ~port with
    | Error e -> Lwt_result.fail (Error.of_open ~what:(Ipaddr.to_string address) ~port e)
    | Ok tcb ->
        let c = Connection.make host tcb in
        Host.flush host;
        let established =
          Lwt.bind (Connection.await_connected c) (function
            | Ok () -> Lwt_result.return c
            | Error e -> Lwt.map (fun () -> Error e) (Connection.close c))
        in
        Lwt.catch
          (fun () -> established)
          (fun e ->
            Connection.abort c;
            Lwt.reraise e)

type listener = {
  host : Host.t;
  listener : Tcp.listener;
  waiters : Host.waiters;
  mutable closed : bool;
}

let listen ?(address = any) ?(reuse = true) host ~port ~backlog =
  let stack = Host.stack host in
  let what = Ipaddr.to_string address in
  if Host.is_closed host then Error Error.Closed_locally
  else if not (is_any address || Stack.is_local stack address) then Error (Error.Bad_address what)
  else
    let address = Weir_wire.Ip.(unmapped (of_ipaddr address)) in
    match Tcp.listen (Stack.tcp stack) ~address ~port ~backlog ~reuse with
    | Error e -> Error (Error.of_open ~what ~port e)
    | Ok listener ->
        let waiters = Lwt_condition.create () in
        Host.own_listener listener waiters;
        Ok { host; listener; waiters; closed = false }

let port l = Tcp.listener_port l.listener

let accept l =
  Host.check l.host;
  Host.await l.waiters (fun () ->
      if l.closed || Host.is_closed l.host then Some (Error Error.Closed_locally)
      else Option.map (fun tcb -> Ok (Connection.make l.host tcb)) (Tcp.accept l.listener))

let close_listener l =
  Host.check l.host;
  if not l.closed then (
    l.closed <- true;
    Tcp.close_listener (Stack.tcp (Host.stack l.host)) l.listener;
    Host.flush l.host;
    Host.wake l.waiters);
  Lwt.return_unit

let serve ?(max_connections = 10_000) ?(on_error = fun e -> !Lwt.async_exception_hook e) l f =
  Host.check l.host;
  let tasks = Tasks.create ~most:max_connections ~on_error in
  let answer c =
    Tasks.start tasks (fun () -> Lwt.finalize (fun () -> f c) (fun () -> Connection.close c))
  in
  let rec next () =
    let accepted = Lwt.bind (Tasks.room tasks) (fun () -> accept l) in
    Lwt.bind accepted (function
      | Ok c ->
          answer c;
          next ()
      | Error _ -> Tasks.idle tasks)
  in
  next ()

type protocol = Names.protocol = Tcp | Udp

let getaddrinfo ?(service = "") host node =
  By_name.wait host (fun p -> Lookup.getaddrinfo p ~service node)

let resolve host name = By_name.wait host (fun p -> Lookup.addresses p name)

let getnameinfo host protocol (address, port) =
  Lwt.map
    (fun name -> (name, Names.service protocol port))
    (By_name.wait host (fun p -> Lookup.name p address))

let records host kind name = By_name.wait host (fun p -> Lookup.records p kind name)

let connect_by_name host ~service node =
  By_name.connect host ~attempt:(fun a ~port -> connect host a ~port) ~service node
