open Weir_core

type t = {
  host : Host.t;
  listener : Tcp.listener;
  syns : Host.waiters;
  flows : Udp_sockets.socket Queue.t;
  datagrams : Host.waiters;
  mutable stopped : bool;
}

let stop t =
  t.stopped <- true;
  Host.with_stack t.host (fun stack ->
      Tcp.close_listener (Stack.tcp stack) t.listener;
      Udp_sockets.stop_intercepting (Stack.udp stack);
      Stack.set_transparent stack false);
  Waiters.broadcast t.syns;
  Waiters.broadcast t.datagrams

let start host ~sw ?(backlog = 1_024) ?(flows = 1_024) () =
  if backlog < 1 || flows < 1 then invalid_arg "Interception.start: a bound below 1";
  let new_flows = Queue.create () and datagrams = Waiters.create () in
  let syns = Waiters.create () in
  let t =
    Host.pump host @@ fun p ->
    let stack = Weir_drive.Pump.stack p in
    Host.check_alive host "intercept";
    let listener = Tcp.intercept (Stack.tcp stack) ~backlog in
    Udp_sockets.intercept (Stack.udp stack) ~limit:flows (fun socket ->
        Queue.push socket new_flows;
        Weir_drive.Pump.call p (fun () -> Waiters.broadcast datagrams));
    Host.own_listener listener syns;
    Stack.set_transparent stack true;
    { host; listener; syns; flows = new_flows; datagrams; stopped = false }
  in
  Eio.Switch.on_release sw (fun () -> stop t);
  t

let take t waiters call f =
  Host.enter t.host;
  Host.await t.host waiters @@ fun () ->
  Host.pump t.host @@ fun _ ->
  if t.stopped then raise (Errors.closed_meanwhile call);
  Host.check_alive t.host call;
  Host.spend t.host 0;
  f ()

(* -- connections ---------------------------------------------------------- *)

type request = { on : t; syn : Tcp.connection; mutable decided : bool }

let next_request t =
  take t t.syns "accept" (fun () ->
      Option.map (fun syn -> { on = t; syn; decided = false }) (Tcp.accept t.listener))

let source r = (Weir_wire.Ip.to_ipaddr (Tcp.remote r.syn), Tcp.remote_port r.syn)
let destination r = (Weir_wire.Ip.to_ipaddr (Tcp.local r.syn), Tcp.local_port r.syn)

let decide r f =
  Host.with_stack r.on.host (fun stack ->
      if not r.decided then (
        r.decided <- true;
        if Tcp.is_held r.syn then f (Stack.tcp stack)))

let is_waiting r = Host.pump r.on.host (fun _ -> (not r.decided) && Tcp.is_held r.syn)
let refuse r = decide r (fun tcp -> Tcp.abort tcp r.syn)
let drop r = decide r (fun _ -> Tcp.forget r.syn)

let accept r ~sw =
  Host.enter r.on.host;
  Eio.Switch.check sw;
  let host = r.on.host in
  let c =
    Host.pump host @@ fun _ ->
    if r.decided then
      raise (Errors.v ECONNABORTED "accept" "this connection was decided on already");
    r.decided <- true;
    let options = Options.create (Host.config host) in
    Options.apply options r.syn;
    let c = Connection.of_tcb host ~options r.syn in
    Tcp.answer r.syn;
    Host.flush_locked host;
    c
  in
  Connection.attach c ~sw;
  match Connection.await_connected c with
  | () -> c
  | exception e ->
      let bt = Printexc.get_raw_backtrace () in
      Connection.close c;
      Printexc.raise_with_backtrace e bt

(* -- datagrams ------------------------------------------------------------ *)

type flow = {
  flow_source : Ipaddr.t * int;
  flow_destination : Ipaddr.t * int;
  socket : [ `Generic | `Unix ] Eio.Net.datagram_socket_ty Eio.Resource.t;
}

let flow_source f = f.flow_source
let flow_destination f = f.flow_destination
let socket f = f.socket

let next_flow t ~sw =
  let s = take t t.datagrams "recv_msg" (fun () -> Queue.take_opt t.flows) in
  let remote, remote_port = Option.get (Udp_sockets.remote s) in
  {
    flow_source = (Weir_wire.Ip.to_ipaddr remote, remote_port);
    flow_destination = (Weir_wire.Ip.to_ipaddr (Udp_sockets.address s), Udp_sockets.port s);
    socket = Datagram.of_socket t.host ~sw s;
  }
