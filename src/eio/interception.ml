open Weir_core
module Ip = Weir_wire.Ip

type t = {
  host : Host.t;
  listener : Tcp.listener;
  syns : Host.waiters;
  flows : Udp_sockets.socket Queue.t;
  datagrams : Host.waiters;
  echoes : Stack.echo Queue.t;
  pings : Host.waiters;
  mutable stopped : bool;
}

let stop t =
  t.stopped <- true;
  Host.with_stack t.host (fun stack ->
      Tcp.close_listener (Stack.tcp stack) t.listener;
      Udp_sockets.stop_intercepting (Stack.udp stack);
      Stack.set_echo stack None;
      Stack.set_transparent stack false);
  List.iter Waiters.broadcast [ t.syns; t.datagrams; t.pings ]

let most_echoes = 256

let start host ~sw ?(backlog = 1_024) ?(flows = 1_024) ?(echo = false) () =
  if backlog < 1 || flows < 1 then invalid_arg "Interception.start: a bound below 1";
  let new_flows = Queue.create () and datagrams = Waiters.create () in
  let echoes = Queue.create () and pings = Waiters.create () and syns = Waiters.create () in
  let t =
    Host.pump host @@ fun p ->
    let stack = Weir_drive.Pump.stack p in
    Host.check_alive host "intercept";
    let listener = Tcp.intercept (Stack.tcp stack) ~backlog in
    let put queue waiters x =
      Queue.push x queue;
      Weir_drive.Pump.call p (fun () -> Waiters.broadcast waiters)
    in
    Udp_sockets.intercept (Stack.udp stack) ~limit:flows (put new_flows datagrams);
    if echo then
      Stack.set_echo stack
        (Some (fun e -> if Queue.length echoes < most_echoes then put echoes pings e));
    Host.own_listener listener syns;
    Stack.set_transparent stack true;
    { host; listener; syns; flows = new_flows; datagrams; echoes; pings; stopped = false }
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

let place address port = (Ip.to_ipaddr address, port)
let source r = place (Tcp.remote r.syn) (Tcp.remote_port r.syn)
let destination r = place (Tcp.local r.syn) (Tcp.local_port r.syn)

let decide r f =
  Host.with_stack r.on.host (fun stack ->
      if not r.decided then (
        r.decided <- true;
        if Tcp.is_held r.syn then f stack))

let is_waiting r = Host.pump r.on.host (fun _ -> (not r.decided) && Tcp.is_held r.syn)
let refuse r = decide r (fun stack -> Tcp.abort (Stack.tcp stack) r.syn)
let drop r = decide r (fun _ -> Tcp.forget r.syn)

let unreachable r reason =
  decide r (fun stack ->
      Stack.report stack ~now:(Host.now r.on.host) reason (Syn r.syn);
      Tcp.forget r.syn)

let established c ~sw =
  Connection.attach c ~sw;
  match Connection.await_connected c with
  | () -> c
  | exception e ->
      let bt = Printexc.get_raw_backtrace () in
      Connection.close c;
      Printexc.raise_with_backtrace e bt

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
  established c ~sw

let connect t ~sw ~source:(local, local_port) (address, port) =
  Host.enter t.host;
  Eio.Switch.check sw;
  let c =
    Host.pump t.host @@ fun p ->
    Host.check_alive t.host "connect";
    let stack = Weir_drive.Pump.stack p in
    match Stack.connect stack ~now:(Host.now t.host) ~local ~local_port address ~port with
    | Error (`In_use | `No_port) -> raise (Errors.v EADDRINUSE "connect" (string_of_int local_port))
    | Error (`No_route | `Bad_address) ->
        raise (Errors.v ENETUNREACH "connect" (Ipaddr.to_string address))
    | Ok tcb ->
        let options = Options.create (Host.config t.host) in
        Options.apply options tcb;
        let c = Connection.of_tcb t.host ~options tcb in
        Host.flush_locked t.host;
        c
  in
  established c ~sw

(* -- datagrams ------------------------------------------------------------ *)

type flow = {
  over : t;
  socket : Udp_sockets.socket;
  received : Host.waiters;
  inner : Ipaddr.t * int;
  outer : Ipaddr.t * int;
}

let flow_source f = f.inner
let flow_destination f = f.outer

let close_flow f =
  Host.with_stack f.over.host (fun stack -> Udp_sockets.close (Stack.udp stack) f.socket);
  Waiters.broadcast f.received

let wrap t ~sw socket =
  let received = Waiters.create () in
  Host.pump t.host (fun _ -> Host.own_datagrams socket received);
  let remote, remote_port = Option.get (Udp_sockets.remote socket) in
  let outer = place (Udp_sockets.address socket) (Udp_sockets.port socket) in
  let f = { over = t; socket; received; inner = place remote remote_port; outer } in
  Eio.Switch.on_release sw (fun () -> close_flow f);
  f

let next_flow t ~sw = wrap t ~sw (take t t.datagrams "recv_msg" (fun () -> Queue.take_opt t.flows))

let open_flow t ~sw ~source:(address, port) (remote, remote_port) =
  let ip a = Ip.unmapped (Ip.of_ipaddr a) in
  let address = ip address and remote = ip remote in
  Host.pump t.host (fun p ->
      Udp_sockets.open_flow
        (Stack.udp (Weir_drive.Pump.stack p))
        ~address ~port ~remote ~remote_port)
  |> Option.map (wrap t ~sw)

(* An error that the peer reports is about an earlier datagram, which is lost as datagrams are. *)
let receive f =
  let host = f.over.host in
  take f.over f.received "recv_msg" @@ fun () ->
  if not (Udp_sockets.is_open f.socket) then raise (Errors.closed_meanwhile "recv_msg");
  ignore (Udp_sockets.take_error f.socket : Icmp_error.t option);
  let scratch = Host.scratch host in
  match Udp_sockets.receive f.socket scratch ~off:0 ~len:Host.longest_datagram with
  | -1 -> None
  | n ->
      Host.spend host n;
      Some (Bytes.sub scratch 0 n)

let send f data =
  let host = f.over.host and dst, dst_port = f.inner in
  let rec attempt ~again =
    match
      Stack.send_udp (Host.stack host) ~now:(Host.now host) f.socket ~dst ~dst_port data ~off:0
        ~len:(Bytes.length data)
    with
    | Error `No_room when again ->
        Host.flush_locked host;
        attempt ~again:false
    | Ok () -> Host.wrote host
    | Error _ -> ()
  in
  Host.enter host;
  Host.pump host (fun _ -> if Udp_sockets.is_open f.socket then attempt ~again:true)

let report f reason =
  let host = f.over.host in
  Host.with_stack host (fun stack ->
      if Udp_sockets.is_open f.socket then
        Stack.report stack ~now:(Host.now host) reason (Flow f.socket))

(* -- echo requests --------------------------------------------------------- *)

type echo = { at : t; asked : Stack.echo }

let next_echo t =
  take t t.pings "recv_msg" (fun () ->
      Option.map (fun asked -> { at = t; asked }) (Queue.take_opt t.echoes))

let echo_source e = Ip.to_ipaddr e.asked.source
let echo_destination e = Ip.to_ipaddr e.asked.destination
let echo_request e = e.asked

let echo_with t f e =
  Host.with_stack t.host (fun stack -> if not t.stopped then f stack ~now:(Host.now t.host) e)

let reply ?data e =
  let asked = match data with None -> e.asked | Some data -> { e.asked with data } in
  echo_with e.at Stack.reply_echo asked

let echo_unreachable e reason =
  echo_with e.at (fun stack ~now s -> Stack.report stack ~now reason (Echo s)) e.asked
